import { parseSteps } from '../config/path-syntax.ts'
import { resolveSteps, setIn, unsetIn, hasIn } from '../config/path-value.ts'
import { formatPath, type Path } from '../kernel/path.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { Locate } from '../policy/report.ts'

/** A change of the config for one answer only. */
export type Change =
  | { readonly op: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'unset'; readonly path: Path }

const startsWith = (path: Path, prefix: Path): boolean =>
  prefix.length <= path.length && prefix.every((segment, index) => segment === path[index])

/** Where a path of the changed config stood before the change; null for what the change wrote. */
function before(path: Path, change: Change): Path | null {
  if (change.op === 'set') return startsWith(path, change.path) ? null : path
  const parent = change.path.slice(0, -1)
  const index = change.path.at(-1)
  const own = path[parent.length]
  if (typeof index !== 'number' || typeof own !== 'number' || !startsWith(path, parent) || own < index)
    return path
  return [...parent, own + 1, ...path.slice(parent.length + 1)]
}

/** A config with `--set` and `--unset` applied, and a way to locate what still stands in a file. */
export interface Overlaid {
  readonly config: unknown
  readonly locate: Locate
}

async function readValue(text: string): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch {
    const { parseJson5 } = await import('../config/json5.ts')
    try {
      return parseJson5(text)
    } catch {
      return text
    }
  }
}

/** Applies `--set PATH=VALUE` in the order typed, then `--unset PATH`; values are JSON5, else plain text. Errors: PATH_INVALID, PATH_UNSET. */
export async function overlayConfig(
  config: unknown,
  locate: Locate,
  sets: readonly { readonly path: string; readonly value: string }[],
  unsets: readonly string[],
): Promise<Overlaid> {
  const changes: Change[] = []
  let changed = config
  for (const { path: text, value: raw } of sets) {
    const path = resolveSteps(changed, parseSteps(text))
    const value = await readValue(raw)
    changed = setIn(changed, path, value)
    changes.push({ op: 'set', path, value })
  }
  for (const text of unsets) {
    const path = resolveSteps(changed, parseSteps(text))
    if (!hasIn(changed, path)) {
      throw new OpenClawError('PATH_UNSET', `--unset ${formatPath(path)}: nothing is set there`)
    }
    changed = unsetIn(changed, path)
    changes.push({ op: 'unset', path })
  }
  return {
    config: changed,
    locate: (path) => {
      let at: Path | null = path
      for (const change of changes.toReversed()) if (at) at = before(at, change)
      const found = at && locate(at)
      // The place is the file's; the path is what `config get` would be asked under this config.
      return found && { ...found, path: formatPath(path) }
    },
  }
}
