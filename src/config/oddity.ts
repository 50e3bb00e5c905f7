/** Keys that reach into the prototype of objects; no config needs them. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Levels of nesting a config may have. */
export const maxDepth = 500

const variableId = /^[A-Z][A-Z0-9_]{0,127}$/
const sources: ReadonlySet<unknown> = new Set(['env', 'file', 'exec', 'store'])

/** What is wrong with an object that was meant as a reference to a secret, or null for a right one and for any other object. */
export function secretRefFault(value: object): string | null {
  if (!('source' in value) || !sources.has(value.source)) return null
  const id = 'id' in value ? value.id : undefined
  if (typeof id !== 'string') {
    // Other settings have a source, too; a reference says at most where to look and what for.
    const wrong = Object.keys(value).filter((key) => key !== 'source' && key !== 'provider' && key !== 'id')
    if (wrong.length > 1) return null
    const [key] = wrong
    return key === undefined
      ? 'a secret reference needs id: the name to look up'
      : `a secret reference has no key "${key}"; the name to look up is called id`
  }
  if ((value.source === 'env' || value.source === 'store') && !variableId.test(id)) {
    return 'the id of a secret reference is a variable name: capital letters, digits and _'
  }
  return null
}

/** Whether anything in a value, at any depth and whatever the schema says, needs a report. Allocates nothing. */
export function hasOddity(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return false
  if (depth >= maxDepth) return true
  if (Array.isArray(value)) {
    for (const item of value) if (hasOddity(item, depth + 1)) return true
    return false
  }
  for (const key in value) {
    if (forbiddenKeys.has(key) || hasOddity(value[key as keyof typeof value], depth + 1)) return true
  }
  return 'source' in value && secretRefFault(value) !== null
}
