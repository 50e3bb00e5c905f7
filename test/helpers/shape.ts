/** What kind of JSON value something is. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Every value at a path like `groups[].tools[].name`; undefined where an object on the way lacks the key, nothing where a part is null. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [key, ...rest] = path
  if (key === undefined) return [value]
  if (value === null || value === undefined) return []
  if (key === '[]')
    return Array.isArray(value) ? value.flatMap((item: unknown) => valuesAt(item, rest)) : [undefined]
  if (typeof value !== 'object' || Array.isArray(value)) return [undefined]
  const member: unknown = Object.getOwnPropertyDescriptor(value, key)?.value
  return rest.length > 0 && member === undefined ? [undefined] : valuesAt(member, rest)
}

/**
 * Compares answers with a shape written as lines `path kind|kind…`; a path that ends in `?` may be absent. Returns what is wrong:
 * a value of another kind, a missing field, or a field that no sample shows, since a check of nothing proves nothing.
 */
export function shapeProblems(shape: string, samples: readonly unknown[]): string[] {
  return shape
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [name = '', kinds = ''] = line.trim().split(/\s+/)
      const optional = name.endsWith('?')
      const steps = name
        .replace(/\?$/, '')
        .replaceAll('[]', '.[]')
        .split('.')
        .filter((step) => step !== '')
      const values = samples.flatMap((sample) => valuesAt(sample, steps))
      const seen = new Set(values.map((value) => (value === undefined ? 'missing' : kindOf(value))))
      const allowed = new Set([...kinds.split('|'), ...(optional ? ['missing'] : [])])
      const wrong = [...seen].filter((kind) => !allowed.has(kind))
      const absent = [...allowed].filter((kind) => kind !== 'missing' && !seen.has(kind))
      return [
        ...wrong.map((kind) => `${name}: ${kind} instead of ${kinds}`),
        ...absent.map((kind) => `${name}: no sample is ${kind}`),
      ]
    })
}
