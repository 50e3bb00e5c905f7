import {
  chmodSync,
  existsSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openFileTools, openPatchTool } from '../../../../src/tools/files/file-tools.ts'
import { journalsDir, writeJournal, type Journal } from '../../../../src/tools/files/patch/journal.ts'
import { idOf } from '../../../../src/tools/files/dir.ts'
import type { CodingToolOptions } from '../../../../src/tools/options.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'

let options: CodingToolOptions
let ws: string
let told: string[]
beforeEach(async () => {
  told = []
  options = await familyOptions({}, { tell: (text) => told.push(text) })
  ws = options.workspace
})

const put = (name: string, text: string): void => writeFileSync(join(ws, name), text)
const textOf = (name: string): string => readFileSync(join(ws, name), 'utf8')
const patchOf = (...lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
const apply = (...lines: readonly string[]) =>
  callTool(openPatchTool(options), 'apply_patch', { input: patchOf(...lines) })
const refused = async (...lines: readonly string[]) => {
  const { code, message, hints, data } = await failure(apply(...lines))
  return { code, message, hints, data }
}
/** Every file of the workspace with what it holds. */
const tree = (): Record<string, string> =>
  Object.fromEntries(
    globSync('**/*', { cwd: ws, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .concat(globSync('**/.*', { cwd: ws }).map((name) => join(ws, name)))
      .map((path) => [path.slice(ws.length + 1), readFileSync(path, 'utf8')]),
  )

describe('a patch', () => {
  test('adds, changes, moves and deletes files', async () => {
    put('a.txt', 'one\ntwo\nthree\n')
    put('old.sh', '#!/bin/sh\necho hi\n')
    put('gone', 'x')
    chmodSync(join(ws, 'old.sh'), 0o755)
    const { content, details } = await apply(
      '*** Add File: new/deep/file.txt',
      '+first',
      '+',
      '+last',
      '*** Update File: a.txt',
      '@@',
      ' one',
      '-two',
      '+2',
      '+2.5',
      ' three',
      '*** Update File: old.sh',
      '*** Move to: bin/new.sh',
      '@@ #!/bin/sh',
      '-echo hi',
      '+echo ho',
      '*** Delete File: gone',
    )
    expect(content).toEqual([
      { type: 'text', text: 'A new/deep/file.txt\nM a.txt\nR old.sh -> bin/new.sh\nD gone' },
    ])
    expect(details).toMatchObject({
      files: [
        { kind: 'add', path: 'new/deep/file.txt' },
        { kind: 'update', diff: expect.stringContaining('-two\n+2\n+2.5\n') },
        { kind: 'move', path: 'old.sh', to: 'bin/new.sh' },
        { kind: 'delete', diff: null },
      ],
    })
    expect(tree()).toEqual({
      'new/deep/file.txt': 'first\n\nlast\n',
      'a.txt': 'one\n2\n2.5\nthree\n',
      'bin/new.sh': '#!/bin/sh\necho ho\n',
    })
    expect(statSync(join(ws, 'bin/new.sh')).mode & 0o777).toBe(0o755)
    expect(readdirSync(journalsDir(options.stateDir))).toEqual([])
  })

  test('moves without a change, empties a file, and fills an empty one', async () => {
    put('a', 'same\r\n')
    put('b', 'x\n')
    put('c', '')
    await apply(
      '*** Update File: a',
      '*** Move to: d',
      '*** Update File: b',
      '-x',
      '*** Update File: c',
      '+y',
    )
    expect(tree()).toEqual({ b: '', c: 'y\n', d: 'same\r\n' })
  })

  test('keeps line ends, marks, and whether the last line is open', async () => {
    put('crlf', '\uFEFFa\r\nb\r\nc')
    await apply('*** Update File: crlf', ' b', '-c', '+d', '+e')
    expect(textOf('crlf')).toBe('\uFEFFa\r\nb\r\nd\r\ne')
    await apply('*** Update File: crlf', '@@', '+f')
    expect(textOf('crlf')).toBe('\uFEFFa\r\nb\r\nd\r\ne\r\nf')
  })

  test('goes where headers and the end of the file say', async () => {
    const text = 'class A\n  def f\n    pass\nclass B\n  def f\n    pass\nend\nend\n'
    put('f', text)
    expect(await refused('*** Update File: f', '-    pass', '+    go')).toMatchObject({
      code: 'INPUT_INVALID',
      message: 'line 3 of the patch: the lines of this hunk are in several places of f (lines 3, 6)',
      data: { line: 3, lines: [3, 6] },
    })
    await apply('*** Update File: f', '@@ class B', '@@ def f', '-    pass', '+    go')
    expect(textOf('f')).toBe(text.replace(/pass(?=\nend)/, 'go'))
    await apply('*** Update File: f', '@@', '-end', '*** End of File')
    expect(textOf('f')).toBe(text.replace(/pass(?=\nend)/, 'go').replace(/end\n$/, ''))
    await apply('*** Update File: f', '@@ class A', '+  # first')
    expect(textOf('f')).toMatch(/^class A\n {2}# first\n/)
  })

  test.each([
    [['*** Update File: f', '@@', '-two', '+2'], 'line 3 of the patch: the lines of this hunk are not in f'],
    [['*** Update File: f', '@@ nowhere', '-one', '+1'], '"@@ nowhere" is not in f'],
    [['*** Update File: f', '-three', '+3', '@@', '-one', '+1'], 'are in line 1 of f, before the place'],
    [['*** Update File: f', '-one', '+1', '*** End of File'], 'has to end at the end of f'],
    [['*** Update File: g', '-one', '+1'], 'g does not exist'],
    [['*** Delete File: g'], 'g does not exist'],
    [['*** Delete File: dir'], 'dir is a directory'],
    [['*** Delete File: .'], 'is a directory'],
    [['*** Add File: f', '+x'], 'f exists already'],
    [['*** Update File: f', '*** Move to: h'], 'h exists already'],
    [
      ['*** Add File: n', '+x', '*** Add File: ./n', '+x'],
      'line 4 of the patch: ./n was named before, in line 2',
    ],
    [['*** Add File: n', '+x', '*** Add File: n/m', '+x'], 'a file and a directory of one name'],
    [['*** Add File: n/m', '+x', '*** Add File: n', '+x'], 'a file and a directory of one name'],
    [['*** Add File: n/', '+x'], 'names a directory'],
    [['*** Add File: ../out', '+x'], 'is outside the workspace'],
    [['*** Update File: link', '*** Move to: n'], 'is a symbolic link'],
    [['*** Update File: locked', '-x', '+y'], 'read-only'],
    [['*** Delete File: locked'], 'read-only'],
  ])('%j fits nowhere and changes nothing, not even what does fit', async (lines, message) => {
    put('f', 'one\nzwei\nthree\n')
    put('h', 'h')
    put('locked', 'x\n')
    chmodSync(join(ws, 'locked'), 0o444)
    mkdirSync(join(ws, 'dir'))
    symlinkSync('f', join(ws, 'link'))
    const before = tree()
    const found = await refused('*** Add File: fits', '+x', ...lines)
    const shifted = message.replace(
      /line (\d+) of the patch/g,
      (_, at) => `line ${Number(at) + 2} of the patch`,
    )
    expect(found.message).toContain(shifted.replace(/in line 2$/, 'in line 4'))
    expect(tree()).toEqual(before)
    expect(readdirSync(journalsDir(options.stateDir))).toEqual([])
  })

  test.each([
    ['', 'line 1 of the patch: the patch is empty'],
    [
      '*** Begin Patch\n*** Add File: f\n+x',
      'line 3 of the patch: a patch ends with *** End Patch, not with "+x"',
    ],
    ['*** Begin Patch', 'line 1 of the patch: a patch ends with'],
    ['*** Begin Patch\n*** End Patch', 'the patch changes no file'],
    ['diff --git a b\n--- a\n+++ b', 'line 1 of the patch: a patch starts with *** Begin Patch'],
    [patchOf('*** Rename File: a'), 'line 2 of the patch: expected a file'],
    [patchOf('*** Add File: '), 'line 2 of the patch: the path is missing'],
    [patchOf('*** Add File: f', 'x'), 'line 3 of the patch: a line of a new file starts with +'],
    [patchOf('*** Delete File: f', '-x'), 'line 3 of the patch: a deleted file has no lines'],
    [patchOf('*** Update File: f'), 'changes nothing'],
    [patchOf('*** Update File: f', '@@', ' x'), 'line 3 of the patch: this hunk changes nothing'],
    [patchOf('*** Update File: f', '@@', '-x', 'y'), 'line 5 of the patch: a line of a hunk starts with'],
    [patchOf('*** Update File: f', '-x', '*** End of File', '-y'), 'line 5 of the patch: expected @@'],
  ])('%j is no patch', async (input, message) => {
    const found = await failure(callTool(openPatchTool(options), 'apply_patch', { input }))
    expect(found).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining(message) })
    expect(tree()).toEqual({})
  })

  test('deletes a link and not what it points at, and changes what a link points at', async () => {
    put('f', 'x\n')
    symlinkSync('f', join(ws, 'link'))
    symlinkSync('f', join(ws, 'other'))
    await apply('*** Delete File: link', '*** Update File: other', '-x', '+y')
    expect(existsSync(join(ws, 'link'))).toBe(false)
    expect(lstatSync(join(ws, 'other')).isSymbolicLink()).toBe(true)
    expect(textOf('f')).toBe('y\n')
  })

  test('notes that a file had another name', async () => {
    put('f', 'x\n')
    linkSync(join(ws, 'f'), join(ws, 'second'))
    const { details } = await apply('*** Update File: f', '-x', '+y')
    expect(details).toMatchObject({ files: [{ hardLinks: 2 }] })
    expect(textOf('second')).toBe('x\n')
  })
})

describe('after a crash', () => {
  const id = '0123456789abcdef'
  const identity = (name: string): string => idOf(statSync(join(ws, name), { bigint: true }))

  /** The state in which a patch of `f` (changed), `g` (deleted) and `h` (new) is ready and nothing is in place. */
  function staged(): Journal {
    put('f', 'old\n')
    put('g', 'gone soon\n')
    put('.f.new', 'new\n')
    put('.h.new', 'h\n')
    linkSync(join(ws, 'f'), join(ws, '.f.old'))
    linkSync(join(ws, 'g'), join(ws, '.g.old'))
    const common = { dir: ws, dirId: identity('.') }
    return {
      id,
      goal: 'after',
      phase: 'placing',
      made: [],
      entries: [
        {
          ...common,
          name: 'f',
          fresh: '.f.new',
          old: '.f.old',
          freshId: identity('.f.new'),
          oldId: identity('f'),
        },
        { ...common, name: 'g', fresh: null, old: '.g.old', freshId: null, oldId: identity('g') },
        { ...common, name: 'h', fresh: '.h.new', old: null, freshId: identity('.h.new'), oldId: null },
      ],
    }
  }
  const look = () => callTool(openFileTools(options), 'ls', {})

  test('the next call of any file tool ends what was ready', async () => {
    writeJournal(options.stateDir, staged())
    await look()
    expect(tree()).toEqual({ f: 'new\n', h: 'h\n' })
    expect(readdirSync(journalsDir(options.stateDir))).toEqual([])
  })

  test('takes back what was not', async () => {
    writeJournal(options.stateDir, { ...staged(), goal: 'before', phase: 'staging' })
    await look()
    expect(tree()).toEqual({ f: 'old\n', g: 'gone soon\n' })
  })

  test('takes all back where somebody has changed a file since, and leaves that one', async () => {
    const journal = staged()
    writeJournal(options.stateDir, journal)
    writeFileSync(join(ws, 'mine'), 'mine\n')
    // As editors save: another file in the place.
    renameSync(join(ws, 'mine'), join(ws, 'g'))
    await look()
    expect(tree()).toEqual({ f: 'old\n', g: 'mine\n' })
    expect(told).toEqual([expect.stringContaining(`${join(ws, 'g')} has changed since`)])
  })

  test('a journal that leads out of the place it was written for is not followed', async () => {
    const journal = staged()
    const outside = join(options.homeDir, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'f'), 'safe\n')
    writeJournal(options.stateDir, journal)
    renameSync(ws, `${ws}.moved`)
    symlinkSync(outside, ws)
    await look()
    expect(readdirSync(outside)).toEqual(['f'])
    expect(readFileSync(join(outside, 'f'), 'utf8')).toBe('safe\n')
  })

  test('garbage in the place of a journal hinders nobody', async () => {
    mkdirSync(journalsDir(options.stateDir), { recursive: true })
    writeFileSync(join(journalsDir(options.stateDir), `${id}.json`), '{"id":')
    writeFileSync(join(journalsDir(options.stateDir), `${'1'.repeat(16)}.json.new`), '{')
    await look()
    expect(readdirSync(journalsDir(options.stateDir))).toEqual([])
  })
})
