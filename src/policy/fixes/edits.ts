import { appendIn, getIn, removeIn, setIn, unsetIn } from '../../config/path-value.ts'
import type { Config } from '../../config/types.ts'
import { formatPath, type Path } from '../../kernel/path.ts'

/** One change of a config; `value` is what is written, or for `unset` and `remove` what goes away. */
export interface Edit {
  readonly op: 'set' | 'unset' | 'append' | 'remove'
  readonly path: Path
  readonly value: unknown
}

/** Applies edits one after the other to a copy of the config; PATH_INVALID where a scalar is in the way. */
export function applyEdits(config: Config, edits: readonly Edit[]): Config {
  let value: unknown = config
  for (const edit of edits) value = applyEdit(value, edit)
  // The edits put strings into string lists and known values at known keys, so the shape stays that of a config.
  return value as Config
}

function applyEdit(value: unknown, edit: Edit): unknown {
  switch (edit.op) {
    case 'set':
      return setIn(value, edit.path, edit.value)
    case 'unset':
      return unsetIn(value, edit.path)
    case 'append':
      return appendIn(value, edit.path, edit.value)
    case 'remove':
      return removeIn(value, edit.path, edit.value)
  }
}

/** Quotes one word for a POSIX shell; plain words stay as they are. */
export function shellQuote(word: string): string {
  return /^[A-Za-z0-9_/:=.,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** A value as `config set` reads it back: JSON5, except that a word which no JSON5 can start with stays bare. */
function valueText(value: unknown): string {
  const isBareWord =
    typeof value === 'string' &&
    /^[A-Za-z_*@]\S*$/.test(value) &&
    !/^(?:true|false|null|undefined|NaN|Infinity)$/.test(value)
  return isBareWord ? value : JSON.stringify(value)
}

/** The command line that makes one edit. */
export function commandOf(edit: Edit): string {
  const path = shellQuote(formatPath(edit.path))
  const value = shellQuote(valueText(edit.value))
  switch (edit.op) {
    case 'set':
      return `openclaw config set ${path} ${value}`
    case 'unset':
      return `openclaw config unset ${path}`
    case 'append':
      return `openclaw config set ${path} --append ${value}`
    case 'remove':
      return `openclaw config set ${path} --remove ${value}`
  }
}

/** Whether the scope an edit touches now holds both a filled allow and a filled alsoAllow, which validation refuses. */
export function createsConflict(config: Config, edits: readonly Edit[]): boolean {
  const filled = (path: Path): boolean => {
    const list = getIn(config, path)
    return Array.isArray(list) && list.length > 0
  }
  return edits.some(({ path }) => {
    const at = path.findLastIndex((segment) => segment === 'allow' || segment === 'alsoAllow')
    const scope = path.slice(0, at)
    return at >= 0 && filled([...scope, 'allow']) && filled([...scope, 'alsoAllow'])
  })
}
