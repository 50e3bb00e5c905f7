import type { OutputOptions, Plugin } from 'rolldown'

/**
 * Puts what the given modules import, directly or not but never lazily, into one file per group: each file of a start costs
 * its own lookup, read and link, which for small modules is more than running them. Earlier groups take what they share with
 * later ones, and the first one what the bundler itself and the plugins have made. `late` are groups that only some entries come to:
 * what `others` import stays out of them, or a start of those would read a file of which it needs a part. Ids are absolute.
 */
export function groupByStart(
  groups: Readonly<Record<string, readonly string[]>>,
  { late, others }: { readonly late: readonly string[]; readonly others: readonly string[] },
): {
  plugin: Plugin
  codeSplitting: NonNullable<OutputOptions['codeSplitting']>
} {
  const imports = new Map<string, readonly string[]>()
  const reached = new Map<string, ReadonlySet<string>>()

  function reach(name: string, roots: readonly string[] = groups[name] ?? []): ReadonlySet<string> {
    const known = reached.get(name)
    if (known) return known
    const seen = new Set<string>()
    const queue = [...roots]
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      if (seen.has(id)) continue
      seen.add(id)
      queue.push(...(imports.get(id) ?? []))
    }
    reached.set(name, seen)
    return seen
  }

  return {
    plugin: {
      name: 'group-by-start',
      moduleParsed: (info) => {
        imports.set(info.id, info.importedIds)
      },
    },
    codeSplitting: {
      groups: Object.keys(groups).map((name, index, names) => ({
        name,
        test: (id) =>
          (reach(name).has(id) && !(late.includes(name) && reach('others of all', others).has(id))) ||
          (index === 0 && id.startsWith('\0')),
        priority: names.length - index,
        includeDependenciesRecursively: false,
      })),
    },
  }
}
