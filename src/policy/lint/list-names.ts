/** The three lists of a scope. */
export const listNames = ['allow', 'alsoAllow', 'deny'] as const

export type ListName = (typeof listNames)[number]
