import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { structuredPatch } from 'diff'
import { expect, test } from 'vitest'
import { openFileTools, openPatchTool } from '../../src/tools/files/file-tools.ts'
import { applyHunks } from '../../src/tools/files/patch/apply-hunks.ts'
import { parsePatch } from '../../src/tools/files/patch/parse.ts'
import { replaceTexts } from '../../src/tools/files/replace.ts'
import { decode, encode, type Coding } from '../../src/tools/files/text.ts'
import { callTool, familyOptions } from '../helpers/tool-family.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

const seed = seedOf('files')

const edits = 2_000

const codings: readonly Coding[] = [
  { encoding: 'utf-8', bom: false },
  { encoding: 'utf-8', bom: true },
  { encoding: 'utf-16le', bom: true },
  { encoding: 'utf-16be', bom: true },
  { encoding: 'latin1', bom: false },
]

/** A text with one kind of line ends or several, of characters that the encoding has; Latin-1 always holds what is no UTF-8. */
function someText(random: Random, { encoding }: Coding): string {
  const ends = random.pick([['\n'], ['\r\n'], ['\n', '\r\n'], ['\n', '\r\n', '\r']])
  const letters =
    encoding === 'latin1' ? ['a', 'b', ' ', '\t', 'é', 'ÿ'] : ['a', 'b', ' ', '\t', 'é', '€', '😀', '\u2028']
  const lines = Array.from({ length: random.below(8) }, () => random.some(random.below(6), letters).join(''))
  const text = lines.map((line) => line + random.pick(ends)).join('') + (random.chance(0.5) ? 'end' : '')
  return encoding === 'latin1' ? `\xe9\xe9${text}` : text
}

/** A part of a text that does not cut a line end or a character in two. */
function somePart(random: Random, text: string): string {
  const units = text.match(/\r\n|[\s\S]/gu) ?? []
  const from = random.below(units.length)
  return units.slice(from, from + 1 + random.below(6)).join('')
}

test('an edit is the replacement of a text in the decoded file, and no other byte changes', async () => {
  const random = new Random(seed)
  const options = await familyOptions()
  const family = openFileTools(options)
  const file = join(options.workspace, 'f')
  let edited = 0
  for (let run = 0; run < runs(edits); run++) {
    const coding = random.pick(codings)
    const text = someText(random, coding)
    const bytes = encode(text, coding)
    if (bytes === null || text === '') continue
    writeFileSync(file, bytes)
    const oldText = somePart(random, text)
    const newText = random.pick(['', 'x', 'x\r\ny', 'é', 'xyz z'])
    const first = text.indexOf(oldText)
    const isOnce = text.indexOf(oldText, first + 1) < 0
    const where = JSON.stringify({ seed, run, coding, text, oldText, newText })
    // A text without \r also stands for the same lines with other ends; only what has one place in both views is judged here.
    const view = text.replaceAll('\r\n', '\n')
    if (!isOnce || oldText === newText || (!oldText.includes('\r') && view.split(oldText).length !== 2))
      continue
    await callTool(family, 'edit', { path: 'f', oldText, newText })
    const after = readFileSync(file)
    const wanted = text.slice(0, first) + newText + text.slice(first + oldText.length)
    law(encode(wanted, coding)?.equals(after) === true, where)
    edited += 1
    if (wanted === '') continue
    const read = await callTool(family, 'read', { path: 'f' })
    const [block] = read.content
    const shown = block?.type === 'text' ? block.text : ''
    // A file without its last byte that is no UTF-8 has become UTF-8; it reads the same.
    const isCrlf = (read.details as { lineEnds: string }).lineEnds === 'crlf'
    law(
      decode(after)?.encoding !== coding.encoding ||
        shown === (isCrlf ? wanted.replaceAll('\r\n', '\n') : wanted),
      where,
    )
  }
  expect(edited).toBeGreaterThan(runs(edits) / 4)
})

test('what is put in has the line ends of the file, and what is around it keeps its own', () => {
  const random = new Random(seed + 1)
  for (let run = 0; run < runs(20_000); run++) {
    const lines = Array.from(
      { length: 1 + random.below(6) },
      (_, at) => `${at}${random.pick(['a', 'b', ''])}`,
    )
    const end = random.pick(['\n', '\r\n'])
    const text = lines.map((line) => line + end).join('')
    const from = random.below(lines.length)
    const to = from + 1 + random.below(lines.length - from)
    const oldText = lines
      .slice(from, to)
      .map((line) => `${line}\n`)
      .join('')
    const outcome = replaceTexts(text, [{ oldText, newText: 'x\ny\n' }])
    const wanted = [...lines.slice(0, from), 'x', 'y', ...lines.slice(to)].map((line) => line + end).join('')
    const found = 'text' in outcome ? outcome.text : outcome
    expect({ seed, run, text, oldText, found }).toEqual({ seed, run, text, oldText, found: wanted })
  }
})

test('every text comes back from its bytes, and all bytes from the text they are read as', () => {
  const random = new Random(seed + 2)
  let texts = 0
  for (let run = 0; run < runs(20_000); run++) {
    const bytes = Buffer.from(
      Array.from({ length: random.below(12) }, () =>
        random.pick([0x41, 0x0a, 0x0d, 0xc3, 0xa9, 0xff, 0xfe, 0xef, 0xbb, 0xbf, 0xd8, random.below(256)]),
      ),
    )
    const text = decode(bytes)
    law(text === null || encode(text.text, text)?.equals(bytes) === true, bytes.toString('hex'))
    if (text !== null) texts += 1
  }
  expect(texts).toBeGreaterThan(runs(20_000) / 10)
})

/** A patch in the format of the tool, made of a difference that a library has found; context wide enough for every hunk to have one place. */
function patchOf(path: string, before: string, after: string): string | null {
  const { hunks } = structuredPatch(path, path, before, after, undefined, undefined, { context: 10_000 })
  if (hunks.length === 0) return null
  const lines = hunks.flatMap((hunk) => ['@@', ...hunk.lines.filter((line) => !line.startsWith('\\'))])
  return ['*** Begin Patch', `*** Update File: ${path}`, ...lines, '*** End Patch'].join('\n')
}

test('the patch of a difference makes the one text from the other, by itself and on the disk', async () => {
  const random = new Random(seed + 3)
  const options = await familyOptions()
  const family = openPatchTool(options)
  let applied = 0
  for (let run = 0; run < runs(4_000); run++) {
    const text = (): string =>
      Array.from(
        { length: random.below(10) },
        () => `${random.pick(['', 'a', 'b', ' c', '-d', '+e', '@@', '*** f', '\tg'])}\n`,
      ).join('')
    const before = text()
    const after = text()
    const patch = patchOf('f', before, after)
    if (patch === null) continue
    const where = JSON.stringify({ seed, run, before, after, patch })
    const [section] = parsePatch(patch)
    const outcome = section?.kind === 'update' ? applyHunks(before, section.hunks) : null
    law(outcome !== null && 'text' in outcome && outcome.text === after, where)
    applied += 1
    if (run % 40 !== 0) continue
    writeFileSync(join(options.workspace, 'f'), before)
    await callTool(family, 'apply_patch', { input: patch })
    law(readFileSync(join(options.workspace, 'f'), 'utf8') === after, where)
    law(readdirSync(options.workspace).length === 1, where)
    rmSync(join(options.workspace, 'f'))
  }
  expect(applied).toBeGreaterThan(runs(4_000) / 2)
})
