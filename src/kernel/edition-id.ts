/** The editions of the system whose behaviour is known here, oldest first. */
export const editionIds = ['2026.7', '2026.9'] as const

export type EditionId = (typeof editionIds)[number]
