import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { commentsIn } from '../../src/config/edit/comments.ts'
import { createEditor, type Editor } from '../../src/config/edit/editor.ts'
import { itemsOf } from '../../src/config/edit/gaps.ts'
import { appendIn, getIn, hasIn, isRecord, removeIn, setIn, unsetIn } from '../../src/config/path-value.ts'
import { scan, toValue, type Node } from '../../src/config/scan.ts'
import type { Path } from '../../src/kernel/path.ts'
import { randomEdit, type RandomEdit } from './edits.ts'
import { randomDocument } from './json5-documents.ts'
import { law, random, runs, seedOf } from './random.ts'

function read(text: string): Node | null {
  const scanned = scan(text)
  return scanned.problem === null ? scanned.root : null
}

function edited(value: unknown, edit: RandomEdit): unknown {
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

function apply(editor: Editor, edit: RandomEdit): void {
  if (edit.op === 'unset') editor.unset(edit.path)
  else editor[edit.op](edit.path, edit.value)
}

/** The text of every comment, in order. */
function comments(text: string, root: Node): string[] {
  return commentsIn(text, root).map(({ start, end }) => text.slice(start, end))
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const item of whole) if (item === part[at]) at++
  return at === part.length
}

/** Nodes of the document that an edit of single entries is not about: their text must come out as it went in. */
function untouched(root: Node, path: Path): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = []
  let node: Node | undefined = root
  for (const segment of path) {
    if (node === undefined || node.type === 'scalar') break
    let next: Node | undefined
    const { items } = node
    for (const [at, { start, end }] of itemsOf(node).entries()) {
      const item = items[at]
      const name = item !== undefined && 'key' in item ? item.key : String(at)
      if (name === String(segment)) next = item?.value
      else ranges.push({ start, end })
    }
    node = next
  }
  return ranges.toSorted((a, b) => a.start - b.start)
}

test(
  'an edited text says what the edited value is, and nothing else in it moves',
  { timeout: 300_000 },
  () => {
    const seed = seedOf('config-edit')
    const next = random(seed)
    const total = runs(20_000)
    let changed = 0
    for (let run = 0; run < total; run++) {
      const text = randomDocument(next)
      const root = read(text)
      const where = (): string => `seed ${seed}, run ${run}:\n${text}\n`
      if (root === null) throw new Error(`the generator wrote no JSON5: ${where()}`)
      const value = toValue(root)
      const edit = randomEdit(next, value)
      const at = (): string => `${where()}${JSON.stringify(edit)}\n${result}`
      const expected = edited(value, edit)
      const editor = createEditor(text, root, { json: false })
      apply(editor, edit)
      const result = editor.text()

      law(isDeepStrictEqual(editor.value(), expected), `value: ${at()}`)
      const after = read(result)
      law(after !== null, `no JSON5: ${at()}`)
      if (after === null) continue
      law(isDeepStrictEqual(toValue(after), expected), `meaning: ${at()}`)
      if (isDeepStrictEqual(value, expected))
        law(result === text || edit.op === 'unset', `no change: ${at()}`)
      else changed += 1

      // What stands beside the edited entry is there byte for byte, in order.
      let from = 0
      for (const { start, end } of untouched(root, edit.path)) {
        const found = result.indexOf(text.slice(start, end), from)
        law(found >= 0, `lost ${text.slice(start, end)}: ${at()}`)
        from = found + end - start
      }
      law(isSubsequence(comments(result, after), comments(text, root)), `comments from nowhere: ${at()}`)

      const again = createEditor(result, after, { json: false })
      if (edit.op === 'set') {
        again.set(edit.path, edit.value)
        law(again.text() === result, `not idempotent: ${at()}`)
      }
    }
    expect(changed / total).toBeGreaterThan(0.6)
  },
)

test(
  'what adds or replaces one entry keeps every comment outside the old value',
  { timeout: 300_000 },
  () => {
    const seed = seedOf('config-edit-comments')
    const next = random(seed)
    const total = runs(20_000)
    let tried = 0
    for (let run = 0; run < total; run++) {
      const text = randomDocument(next)
      const root = read(text)
      if (root === null) throw new Error(text)
      const value = toValue(root)
      const edit = randomEdit(next, value)
      if (edit.op !== 'set' && edit.op !== 'append') continue
      if (edit.op === 'set' && typeof getIn(value, edit.path) === 'object') continue
      const editor = createEditor(text, root, { json: false })
      apply(editor, edit)
      const result = editor.text()
      const after = read(result)
      const at = `seed ${seed}, run ${run}:\n${text}\n${JSON.stringify(edit)}\n${result}`
      law(after !== null && isDeepStrictEqual(comments(result, after), comments(text, root)), at)
      tried += 1
    }
    expect(tried).toBeGreaterThan(total / 4)
  },
)

test('a new entry that is taken out again leaves the bytes that were there', { timeout: 300_000 }, () => {
  const seed = seedOf('config-edit-back')
  const next = random(seed)
  const total = runs(20_000)
  let tried = 0
  for (let run = 0; run < total; run++) {
    const text = randomDocument(next, true)
    const root = read(text)
    if (root === null) throw new Error(text)
    const value = toValue(root)
    const edit = randomEdit(next, value)
    if (edit.op !== 'set' && edit.op !== 'append') continue
    const list = edit.op === 'append' ? getIn(value, edit.path) : null
    const path = Array.isArray(list) ? [...edit.path, list.length] : edit.path
    const parent = getIn(value, path.slice(0, -1))
    const full =
      (Array.isArray(parent) && parent.length > 0) || (isRecord(parent) && Object.keys(parent).length > 0)
    if (hasIn(value, path) || !full) continue
    tried += 1
    const editor = createEditor(text, root, { json: false })
    apply(editor, edit)
    const result = editor.text()
    const after = read(result)
    if (after === null) throw new Error(result)
    const back = createEditor(result, after, { json: false })
    back.unset(path)
    law(
      back.text() === text,
      `seed ${seed}, run ${run}:\n${text}\n${JSON.stringify(edit)}\n${result}\n${back.text()}`,
    )
  }
  expect(tried).toBeGreaterThan(total / 10)
})

test('plain JSON stays plain JSON', { timeout: 300_000 }, () => {
  const seed = seedOf('config-edit-strict')
  const next = random(seed)
  const total = runs(10_000)
  let changed = 0
  for (let run = 0; run < total; run++) {
    const loose = read(randomDocument(next))
    const text = JSON.stringify(loose === null ? {} : toValue(loose), null, [0, 2, '\t'][run % 3])
    const root = read(text)
    if (root === null) throw new Error(text)
    const edit = randomEdit(next, toValue(root))
    const editor = createEditor(text, root, { json: true })
    apply(editor, edit)
    const at = `seed ${seed}, run ${run}:\n${text}\n${JSON.stringify(edit)}\n${editor.text()}`
    law(isDeepStrictEqual(JSON.parse(editor.text()), JSON.parse(JSON.stringify(editor.value()))), at)
    if (editor.text() !== text) changed += 1
  }
  expect(changed).toBeGreaterThan(total / 2)
})

test('many edits of one text are the same as one after the other', { timeout: 300_000 }, () => {
  const seed = seedOf('config-edit-batch')
  const next = random(seed)
  const total = runs(5000)
  let changed = 0
  for (let run = 0; run < total; run++) {
    const text = randomDocument(next)
    const root = read(text)
    if (root === null) throw new Error(text)
    const editor = createEditor(text, root, { json: false })
    const edits: RandomEdit[] = []
    for (let count = 0; count < 5; count++) {
      const edit = randomEdit(next, editor.value())
      edits.push(edit)
      apply(editor, edit)
    }
    const result = editor.text()
    const after = read(result)
    const at = `seed ${seed}, run ${run}:\n${text}\n${JSON.stringify(edits)}\n${result}`
    law(after !== null && isDeepStrictEqual(toValue(after), editor.value()), at)
    if (result !== text) changed += 1
  }
  expect(changed).toBeGreaterThan(total / 2)
})
