import { unsetIn } from '../../src/config/path-value.ts'
import type { Path } from '../../src/kernel/path.ts'
import type { ViewSource } from '../../src/runtime/open-view.ts'

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value)
  return [at, ...entries.flatMap(([key, item]) => pathsOf(item, [...at, key]))]
}

/** Takes away parts of a session, the large ones first, as long as it still fails in the same way; what is left is worth reading. */
export function shrink(source: ViewSource, fails: (smaller: ViewSource) => boolean): ViewSource {
  let smallest = source
  let again = true
  while (again) {
    again = false
    for (const field of ['config', 'request', 'inventory'] as const) {
      for (const path of pathsOf(smallest[field]).toSorted((left, right) => left.length - right.length)) {
        if (path.length === 0) continue
        const smaller: ViewSource = { ...smallest, [field]: unsetIn(smallest[field], path) }
        // A path may have gone with its parent, or the part may be one that nothing works without.
        if (JSON.stringify(smaller) === JSON.stringify(smallest) || !stillFails(smaller, fails)) continue
        smallest = smaller
        again = true
      }
    }
  }
  return smallest
}

function stillFails(source: ViewSource, fails: (smaller: ViewSource) => boolean): boolean {
  try {
    return fails(source)
  } catch {
    return false
  }
}

/** A session as text for a failure message. */
export function describeSession({ edition, config, request, inventory }: ViewSource): string {
  return JSON.stringify({ edition: edition.id, config, context: request, inventory }, null, 1)
}
