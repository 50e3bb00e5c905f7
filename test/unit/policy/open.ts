import { editions, type EditionId } from '../../../src/catalog/edition.ts'
import { parseInventory } from '../../../src/catalog/inventory-file.ts'
import type { Config } from '../../../src/config/types.ts'
import { formatPath, type Location, type Path } from '../../../src/kernel/path.ts'
import type { Reopen, View } from '../../../src/policy/view.ts'
import { openView } from '../../../src/runtime/open-view.ts'
import { parseContext } from '../../../src/sessions/context-file.ts'

/** One session as a policy test file would write it. */
export interface Session {
  readonly config?: unknown
  readonly context?: unknown
  readonly inventory?: unknown
  readonly edition?: EditionId
}

/** Stands in for the places of a config file: the path is what the tests look at. */
export function locate(path: Path): Location {
  return { file: '/home/u/openclaw.json', path: formatPath(path), line: 1, column: 1 }
}

/** Judges a session that is given as plain values, and lets it be judged again. */
export function open(session: Session): { readonly view: View; readonly reopen: Reopen } {
  const source = {
    request: parseContext(session.context ?? {}),
    entry: null,
    inventory: session.inventory === undefined ? null : parseInventory(session.inventory, 'inventory'),
  }
  const edition = editions[session.edition ?? '2026.7']
  // Tests write configs as literals; the schema has its own tests.
  const config = (session.config ?? {}) as Config
  const reopen: Reopen = (change) => openView({ config, edition, ...source, ...change })
  return { view: reopen({}), reopen }
}
