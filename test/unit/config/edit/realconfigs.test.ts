import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import JSON5 from 'json5'
import { expect, test } from 'vitest'
import { commentsIn } from '../../../../src/config/edit/comments.ts'
import { createEditor, type Editor } from '../../../../src/config/edit/editor.ts'
import { applySplices } from '../../../../src/config/edit/layout.ts'
import { isRecord, setIn, unsetIn } from '../../../../src/config/path-value.ts'
import { scan, toValue } from '../../../../src/config/scan.ts'
import type { Path } from '../../../../src/kernel/path.ts'
import { projectRoot } from '../../../helpers/project.ts'
import { pathsIn } from '../../../property/edits.ts'

const files = globSync('fixtures/realconfigs/*', { cwd: projectRoot }).toSorted()

function open(text: string): { editor: Editor; comments: string[]; value: unknown } {
  const { problem, root } = scan(text)
  if (problem !== null || root === null) throw new Error(`no JSON5: ${text}`)
  return {
    editor: createEditor(text, root, { json: false }),
    comments: commentsIn(text, root).map(({ start, end }) => text.slice(start, end)),
    value: toValue(root),
  }
}

function another(value: unknown): unknown {
  if (typeof value === 'string') return `${value}-changed`
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : 'changed'
}

function isLeaf(value: unknown): boolean {
  return !Array.isArray(value) && !isRecord(value)
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value)
}

test.each(files)('every value of %s can be changed, added and removed, and nothing else moves', (file) => {
  const text = readFileSync(join(projectRoot, file), 'utf8')
  const { value, comments } = open(text)
  const wrong: string[] = []
  const check = (what: string, holds: boolean): void => {
    if (!holds) wrong.push(what)
  }
  for (const path of pathsIn(value).filter(({ length }) => length > 0)) {
    const name = JSON.stringify(path)
    const old = at(value, path)
    if (isLeaf(old)) {
      const { editor } = open(text)
      editor.set(path, another(old))
      const [splice, ...others] = editor.splices()
      check(`set ${name}: one place`, splice !== undefined && others.length === 0)
      check(
        `set ${name}: meaning`,
        isDeepStrictEqual(JSON5.parse(editor.text()), setIn(value, path, another(old))),
      )
      check(`set ${name}: comments`, isDeepStrictEqual(open(editor.text()).comments, comments))
      const back = open(editor.text()).editor
      back.set(path, old)
      check(`set ${name} and back`, JSON5.stringify(JSON5.parse(back.text())) === JSON5.stringify(value))
    } else {
      const { editor } = open(text)
      const inner = Array.isArray(old) ? [...path, old.length] : [...path, 'added-key']
      editor.set(inner, 'added')
      const added = editor.text()
      check(`add ${name}: meaning`, isDeepStrictEqual(JSON5.parse(added), setIn(value, inner, 'added')))
      check(`add ${name}: comments`, isDeepStrictEqual(open(added).comments, comments))
      const back = open(added).editor
      back.unset(inner)
      const isEmpty = Object.keys(Object(old)).length === 0
      check(`add ${name} and back`, isEmpty || back.text() === text)
    }
    const { editor } = open(text)
    editor.unset(path)
    check(`unset ${name}: meaning`, isDeepStrictEqual(JSON5.parse(editor.text()), unsetIn(value, path)))
    const kept = applySplices(
      text,
      editor.splices().filter((splice) => splice.text !== ''),
    )
    check(`unset ${name}: adds nothing but an empty container`, kept.length <= text.length)
  }
  expect(wrong).toEqual([])
})
