import type { Path } from '../../kernel/path.ts'
import { appendIn, getIn, removeIn, setIn, unsetIn } from '../path-value.ts'
import { isSame } from '../same-value.ts'
import { toValue, type Node } from '../scan.ts'
import { insertDraft, setDraft, unsetDraft, type Draft } from './draft.ts'
import { applySplices, splicesOf, type Splice } from './layout.ts'
import { styleOf } from './style.ts'

/**
 * Edits one JSON5 text and leaves every byte alone that no edit is about. Every edit does to the text what the function of
 * the same name in `path-value.ts` does to its value, and throws what that throws (`PATH_INVALID`).
 *
 * A comment goes with an entry that is taken out when it ends the entry's last line, or when it stands on lines of its own
 * directly above, heads no other entry, and holds no entry that was switched off; every other comment stays.
 */
export interface Editor {
  set(path: Path, value: unknown): void
  /** Takes out every repetition of the key, or the list entry. */
  unset(path: Path): void
  append(path: Path, item: unknown): void
  /** Takes out the entries that equal `item`. */
  remove(path: Path, item: unknown): void
  /** The value of the edited text. */
  value(): unknown
  splices(): Splice[]
  text(): string
}

export interface EditorOptions {
  /** Whether a text that shows no style of its own is plain JSON, as in a `.json` file. */
  readonly json: boolean
}

/** Opens a scanned text for editing; `start` is its value where that is known already. */
export function createEditor(
  text: string,
  root: Node,
  options: EditorOptions,
  start: unknown = toValue(root),
): Editor {
  const slot: { draft: Draft } = { draft: { kind: 'kept', node: root } }
  let value = start
  const splices = (): Splice[] => {
    if (slot.draft.kind === 'kept') return []
    return splicesOf(text, slot.draft, styleOf(text, root, options.json))
  }
  return {
    set: (path, next) => {
      value = setIn(value, path, next)
      setDraft(slot, path, next)
    },
    unset: (path) => {
      value = unsetIn(value, path)
      unsetDraft(slot, path)
    },
    append: (path, item) => {
      value = appendIn(value, path, item)
      const list = getIn(value, path)
      insertDraft(slot, path, Array.isArray(list) ? list.length - 1 : 0, item)
    },
    remove: (path, item) => {
      const list = getIn(value, path)
      value = removeIn(value, path, item)
      if (!Array.isArray(list)) return
      for (let at = list.length - 1; at >= 0; at--) {
        if (isSame(list[at], item)) unsetDraft(slot, [...path, at])
      }
    },
    value: () => value,
    splices,
    text: () => applySplices(text, splices()),
  }
}
