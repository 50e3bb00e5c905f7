import { expect, test, vi } from 'vitest'
import { parseDocument } from '../../src/config/read.ts'
import { OpenClawError } from '../../src/kernel/errors.ts'
import { law, random, runs, seedOf } from './random.ts'

const secret = 'hunter22hunter22'
const documents = [
  `{ gateway: { auth: { mode: "token", token: "${secret}" } }, tools: { profile: 'coding' } }`,
  `{\n  "mcp": { "servers": { "g": { "env": { "ANY": "${secret}", B: 1 }, "url": "https://h" } } },\n  a: [1, 2],\n}`,
  `{ channels: { slack: { botToken: '${secret}', on: true, accounts: { a: { appPassword: "${secret}" } } } } }`,
  `{ mcp: { servers: { g: { headers: { 'X-Any': "${secret}" } } } }, apiKeys: [ "${secret}", '${secret}' ] }`,
]
const scraps = [
  ...`{}[],:"'\\/*#=;\`-1x \n\r`,
  '/*',
  '*/',
  '"x"',
  '\u2028',
  '“',
  '<<<<<<< HEAD\n',
  'True',
  '\\u00',
  '\u200b',
]

/** Breaks a document by an insertion or a removal that leaves every name and secret whole; a `//` before them would hide the names and leave the secret. */
function damage(next: () => number, text: string): string {
  const words = [...text.matchAll(/["']?[A-Za-z][\w-]*["']?/g)].map((word) => [
    word.index,
    word.index + word[0].length,
  ])
  const at = Math.floor(next() * (text.length + 1))
  if (words.some(([start = 0, end = 0]) => at > start && at < end)) return text
  const scrap = scraps[Math.floor(next() * scraps.length)] ?? ''
  const joins = /^[\w\\-]/.test(scrap) && /\w/.test(text.charAt(at - 1) + text.charAt(at))
  if (joins) return text
  if (next() < 0.6) return text.slice(0, at) + scrap + text.slice(at)
  return /[\w"']/.test(text.charAt(at)) ? text : text.slice(0, at) + text.slice(at + 1)
}

test('a broken config is one clear error with a place, and shows no secret', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const seed = seedOf('config-broken')
  const next = random(seed)
  let broken = 0
  for (let run = 0; run < runs(40_000); run++) {
    let text = documents[run % documents.length] ?? ''
    for (let times = 1 + Math.floor(next() * 2); times > 0; times--) text = damage(next, text)
    try {
      await parseDocument('c.json5', text)
    } catch (error) {
      const where = `seed ${seed}, run ${run}: ${JSON.stringify(text)} says ${String(error)}`
      law(error instanceof OpenClawError && error.code === 'CONFIG_INVALID', where)
      const said = error instanceof OpenClawError ? error.message : ''
      const [head = '', line = '', caret = ''] = said.split('\n')
      law(/^c\.json5:\d+:\d+: expected /.test(head) && / \| /.test(line) && / \| *\^$/.test(caret), where)
      law(!JSON.stringify(error).includes('hunter22') && !said.includes('hunter22'), where)
      broken += 1
    }
  }
  expect(broken).toBeGreaterThan(runs(40_000) / 4)
})
