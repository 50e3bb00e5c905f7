import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Args } from '../../../../src/calls/types.ts'
import { openFileTools } from '../../../../src/tools/files/file-tools.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'
import type { Session } from '../../policy/open.ts'

let ws: string
let call: (name: string, args: Args, signal?: AbortSignal) => ReturnType<typeof callTool>

async function open(session: Session = {}) {
  const options = await familyOptions(session)
  const family = openFileTools(options)
  ws = options.workspace
  call = (name, args, signal) => callTool(family, name, args, signal)
  return options
}

beforeEach(async () => {
  await open()
})

const put = (name: string, bytes: string | Uint8Array): void => writeFileSync(join(ws, name), bytes)
const bytesOf = (name: string): Buffer => readFileSync(join(ws, name))
const read = async (args: Args) => {
  const { content, details } = await call('read', args)
  return { texts: content.map((block) => (block.type === 'text' ? block.text : block.mimeType)), details }
}
const failed = async (name: string, args: Args) => {
  const { code, message, hints, data } = await failure(call(name, args))
  return { code, message, hints, data }
}

describe('read', () => {
  test('gives the lines alone, and the range that comes next', async () => {
    put('a.txt', 'one\ntwo\nthree\nfour')
    expect(await read({ path: 'a.txt' })).toEqual({
      texts: ['one\ntwo\nthree\nfour'],
      details: {
        kind: 'text',
        path: join(ws, 'a.txt'),
        bytes: 18,
        encoding: 'utf-8',
        bom: false,
        lineEnds: 'lf',
        from: 1,
        to: 4,
        totalLines: 4,
        truncated: false,
        nextOffset: null,
      },
    })
    expect(await read({ path: './a.txt', offset: 2, limit: 2 })).toMatchObject({
      texts: ['two\nthree\n', '[Lines 2-3 of 4. Use offset=4 to go on.]'],
      details: { from: 2, to: 3, truncated: true, nextOffset: 4 },
    })
    expect(await failed('read', { path: 'a.txt', offset: 9 })).toMatchObject({
      code: 'INPUT_INVALID',
      message: 'a.txt has 4 lines, so there is no line 9',
    })
  })

  test('pages through a file whole, whatever the limits are', async () => {
    const whole = Array.from({ length: 5_000 }, (_, at) => `${at} ${'ä'.repeat(at % 90)}\n`).join('')
    put('long.txt', whole)
    let text = ''
    let pages = 0
    for (let offset: number | null = 1; offset !== null; pages++) {
      const page = await read({ path: 'long.txt', offset })
      text += page.texts[0]
      offset = (page.details as { nextOffset: number | null }).nextOffset
    }
    expect(text).toBe(whole)
    expect(pages).toBeGreaterThan(5)
  })

  test('cuts a line that is too long, and a file that is too large, and says so', async () => {
    put('line.txt', `${'x'.repeat(200_000)}\nend\n`)
    const { texts, details } = await read({ path: 'line.txt' })
    expect(texts[0]?.length).toBeLessThanOrEqual(50 * 1024)
    expect(texts[1]).toContain('Line 1 is longer than 50 KB')
    expect(details).toMatchObject({ truncated: true, nextOffset: 2 })
    const line = `${'y'.repeat(99)}\n`
    put('large.txt', line.repeat(200_000))
    const far = await read({ path: 'large.txt', offset: 199_999 })
    expect(far).toMatchObject({
      texts: [line + line],
      details: { from: 199_999, to: 200_000, nextOffset: null },
    })
    const start = await read({ path: 'large.txt' })
    expect(start).toMatchObject({ details: { from: 1, truncated: true, totalLines: null } })
    expect(Buffer.byteLength(start.texts[0] ?? '')).toBeLessThanOrEqual(50 * 1024)
    expect(await failed('read', { path: 'large.txt', offset: 200_001 })).toMatchObject({
      code: 'INPUT_INVALID',
    })
  })

  test('never reads far into a file of zeros without an end', async () => {
    put('sparse', '')
    truncateSync(join(ws, 'sparse'), 2 ** 40)
    expect(await failed('read', { path: 'sparse' })).toMatchObject({ code: 'INPUT_INVALID' })
    expect((await failed('read', { path: 'sparse', offset: 2 })).message).toContain(
      'too large to find its line 2',
    )
    const abort = AbortSignal.abort(new Error('enough'))
    await expect(call('read', { path: 'sparse', offset: 2 }, abort)).rejects.toThrow('enough')
  })

  test.each([
    [
      'utf-8 with a mark',
      Buffer.from('\uFEFFä\r\nb\r\n'),
      'ä\nb\n',
      { encoding: 'utf-8', bom: true, lineEnds: 'crlf' },
    ],
    ['utf-16le', Buffer.from('\uFEFFä€\n', 'utf16le'), 'ä€\n', { encoding: 'utf-16le', bom: true }],
    ['utf-16be', Buffer.from('\uFEFFä€\n', 'utf16le').swap16(), 'ä€\n', { encoding: 'utf-16be', bom: true }],
    ['latin-1', Buffer.from('caf\xe9\n', 'latin1'), 'café\n', { encoding: 'latin1', bom: false }],
    ['mixed line ends', Buffer.from('a\r\nb\nc'), 'a\r\nb\nc', { lineEnds: 'mixed' }],
  ])('reads %s', async (_, bytes, text, details) => {
    put('f', bytes)
    const found = await read({ path: 'f' })
    expect(found.texts[0]).toBe(text)
    expect(found.details).toMatchObject(details)
  })

  test('an empty file is said to be empty', async () => {
    put('f', '')
    expect((await read({ path: 'f' })).texts).toEqual(['', '[f is empty.]'])
  })

  test('shows an image by what it holds, and only where somebody can look', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    put('picture.txt', png)
    const { content, details } = await call('read', { path: 'picture.txt' })
    expect(content[1]).toEqual({ type: 'image', data: png.toString('base64'), mimeType: 'image/png' })
    expect(details).toMatchObject({ kind: 'image', mimeType: 'image/png', bytes: png.length })
    put('big.png', Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)]))
    expect((await failed('read', { path: 'big.png' })).message).toContain(
      'images are read up to 5242880 bytes',
    )
    await open({ context: { supports: { vision: false } } })
    put('picture.txt', png)
    const words = await read({ path: 'picture.txt' })
    expect(words.texts).toHaveLength(1)
    expect(words.texts[0]).toContain('cannot look at images')
  })

  test.each([
    ['gif', 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'image/gif'],
    ['webp', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'image/webp'],
    ['jpeg', '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////', 'image/jpeg'],
  ])('knows a %s', async (_, data, mimeType) => {
    put('f', Buffer.from(data, 'base64'))
    expect((await call('read', { path: 'f' })).details).toMatchObject({ kind: 'image', mimeType })
  })

  test('refuses what is binary by the name of what it is', async () => {
    put('doc', Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(100)]))
    expect(await failed('read', { path: 'doc' })).toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('doc is binary (application/pdf), 109 bytes'),
    })
    put('odd', Buffer.from([0xff, 0xfe, 0x41]))
    expect((await failed('read', { path: 'odd' })).message).toContain('is binary')
  })

  test('says what may have been meant by a path that is not there', async () => {
    mkdirSync(join(ws, 'source'))
    put('source/index.ts', '')
    expect(await failed('read', { path: 'source/indx.ts' })).toMatchObject({
      code: 'INPUT_INVALID',
      message: 'source/indx.ts does not exist',
      hints: ['did you mean source/index.ts?'],
      data: { path: 'source/indx.ts', suggestions: ['source/index.ts'] },
    })
    expect((await failed('read', { path: 'sorce/index.ts' })).hints).toEqual([
      'did you mean source/index.ts?',
    ])
    expect((await failed('read', { path: 'source/index.ts/x' })).message).toContain('is no directory')
    expect((await failed('read', { path: 'source' })).message).toBe('source is a directory')
  })

  test.each([
    ['', 'the path is empty'],
    ['a\0b', 'the path holds a zero byte'],
    ['\uD800', 'lone surrogate'],
    ['x'.repeat(300), 'a name that is too long'],
    ['x/'.repeat(3000), 'longer than 4096 bytes'],
    ['./'.repeat(10).concat('a/').repeat(180).concat('b'), 'does not exist'],
  ])('the path %j is bad input', async (path, message) => {
    expect(await failed('read', { path })).toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining(message),
    })
  })

  test('never waits at a pipe, and opens no device, socket or window into the kernel', async () => {
    execFileSync('mkfifo', [join(ws, 'pipe')])
    const server = createServer().listen(join(ws, 'socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    symlinkSync('/proc/self/environ', join(ws, 'env'))
    const about = {
      pipe: 'a named pipe',
      socket: 'a socket',
      '/dev/zero': 'a device',
      '/dev/tty': 'a device',
      '/proc/self/environ': 'window into the kernel (proc)',
      '/proc/kmsg': 'window into the kernel (proc)',
      '/sys/kernel/notes': 'window into the kernel (sysfs)',
      env: 'window into the kernel (proc)',
      '/proc/self/fd/0': '',
      '/dev/stdin': '',
    }
    for (const [path, message] of Object.entries(about)) {
      const found = await failed('read', { path })
      expect(found).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining(message) })
    }
    for (const path of ['pipe', 'socket', '/dev/zero', '/proc/self/comm'])
      expect(await failed('write', { path, content: 'x' })).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('reads from home and by links, and notes second names', async () => {
    const { homeDir } = await open()
    writeFileSync(join(homeDir, 'note'), 'at home')
    symlinkSync(join(homeDir, 'note'), join(ws, 'link'))
    expect((await read({ path: '~/note' })).texts).toEqual(['at home'])
    expect(await read({ path: 'link' })).toMatchObject({ details: { path: join(homeDir, 'note') } })
    linkSync(join(homeDir, 'note'), join(ws, 'second'))
    expect(await read({ path: 'second' })).toMatchObject({ details: { hardLinks: 2 } })
    symlinkSync('round', join(ws, 'round'))
    expect((await failed('read', { path: 'round' })).message).toContain('leads in circles')
  })
})

describe('write', () => {
  test('makes what is missing, and leaves nothing beside it', async () => {
    const made = await call('write', { path: 'x/y/z.txt', content: 'hello\n' })
    expect(made).toMatchObject({
      content: [{ type: 'text', text: 'Created x/y/z.txt (6 bytes).' }],
      details: { path: join(ws, 'x/y/z.txt'), created: true, changed: true, bytes: 6, encoding: 'utf-8' },
    })
    expect(readdirSync(join(ws, 'x/y'))).toEqual(['z.txt'])
    expect(await call('write', { path: 'x/y/z.txt', content: 'hello\n' })).toMatchObject({
      details: { created: false, changed: false },
    })
  })

  test('keeps mode and links, and cuts second names off', async () => {
    put('script', 'old')
    chmodSync(join(ws, 'script'), 0o750)
    symlinkSync('script', join(ws, 'link'))
    symlinkSync('new/target', join(ws, 'dangling'))
    await call('write', { path: 'link', content: 'new' })
    expect(bytesOf('script').toString()).toBe('new')
    expect(statSync(join(ws, 'script')).mode & 0o777).toBe(0o750)
    await call('write', { path: 'dangling', content: 'made' })
    expect(bytesOf('new/target').toString()).toBe('made')
    linkSync(join(ws, 'script'), join(ws, 'other'))
    const { content, details } = await call('write', { path: 'script', content: 'newer' })
    expect(details).toMatchObject({ hardLinks: 2 })
    expect(content[0]).toMatchObject({
      text: expect.stringContaining('its other names keep the old content'),
    })
    expect(bytesOf('other').toString()).toBe('new')
  })

  test.each([
    ['a mark and CRLF', '\uFEFFa\r\nb\r\n', 'utf8', 'x\ny\n', '\uFEFFx\r\ny\r\n'],
    ['UTF-16', '\uFEFFold', 'utf16le', 'neu €', '\uFEFFneu €'],
    ['Latin-1', 'caf\xe9', 'latin1', 'th\xe9', 'th\xe9'],
  ] as const)('keeps %s of what is there', async (_, old, encoding, content, wanted) => {
    put('f', Buffer.from(old, encoding))
    await call('write', { path: 'f', content })
    expect(bytesOf('f')).toEqual(Buffer.from(wanted, encoding))
  })

  test('takes UTF-8 where the old encoding lacks a character, and its own line ends where it has some', async () => {
    put('f', Buffer.from('caf\xe9', 'latin1'))
    expect((await call('write', { path: 'f', content: '5 €' })).details).toMatchObject({ encoding: 'utf-8' })
    expect(bytesOf('f').toString()).toBe('5 €')
    put('g', 'a\r\nb\r\n')
    await call('write', { path: 'g', content: 'a\rb\n' })
    expect(bytesOf('g').toString()).toBe('a\rb\n')
    put('h', Buffer.from([0, 1, 2]))
    await call('write', { path: 'h', content: 'text' })
    expect(bytesOf('h').toString()).toBe('text')
  })

  test('refuses what cannot be written as it is meant, and changes nothing then', async () => {
    mkdirSync(join(ws, 'dir'))
    put('locked', 'old')
    chmodSync(join(ws, 'locked'), 0o444)
    const bad: [Args, string, string][] = [
      [{ path: 'dir', content: '' }, 'INPUT_INVALID', 'dir is a directory'],
      [{ path: '.', content: '' }, 'INPUT_INVALID', '. is a directory'],
      [{ path: 'new/', content: '' }, 'INPUT_INVALID', 'names a directory'],
      [{ path: 'none/../f', content: '' }, 'INPUT_INVALID', 'from a directory that does not exist'],
      [{ path: 'f', content: '\uDC00' }, 'INPUT_INVALID', 'half a character'],
      [{ path: 'locked/f', content: '' }, 'INPUT_INVALID', 'is no directory'],
      [{ path: 'locked', content: 'new' }, 'TOOL_FAILED', 'read-only (mode 444)'],
    ]
    for (const [args, code, message] of bad) {
      expect(await failed('write', args)).toMatchObject({ code, message: expect.stringContaining(message) })
    }
    expect(readdirSync(ws).toSorted()).toEqual(['dir', 'locked'])
    expect(bytesOf('locked').toString()).toBe('old')
  })
})

describe('edit', () => {
  test('replaces what is there once, and shows the difference', async () => {
    put('f.ts', 'const a = 1\nconst b = 2\n')
    const { content, details } = await call('edit', { path: 'f.ts', oldText: 'b = 2', newText: 'b = 3' })
    expect(content).toEqual([{ type: 'text', text: 'Changed one place in f.ts.' }])
    expect(details).toMatchObject({
      replaced: 1,
      firstChangedLine: 2,
      diff: '--- f.ts\n+++ f.ts\n@@ -1,2 +1,2 @@\n const a = 1\n-const b = 2\n+const b = 3\n',
    })
  })

  test('makes several edits of the text as it was, or none', async () => {
    put('f', 'a b c\n')
    const swap = [
      { oldText: 'a', newText: 'b' },
      { oldText: 'b', newText: 'a' },
    ]
    expect((await call('edit', { path: 'f', edits: swap })).details).toMatchObject({ replaced: 2 })
    expect(bytesOf('f').toString()).toBe('b a c\n')
    const half = [
      { oldText: 'c', newText: 'x' },
      { oldText: 'nowhere to be found', newText: 'y' },
    ]
    expect(await failed('edit', { path: 'f', edits: half })).toMatchObject({
      code: 'INPUT_INVALID',
      message: 'edits[1]: oldText is not in f',
      data: { edit: 1, reason: 'missing' },
    })
    const overlapping = [
      { oldText: 'b a', newText: '' },
      { oldText: 'a c', newText: '' },
    ]
    expect((await failed('edit', { path: 'f', edits: overlapping })).message).toContain(
      'edits[0] and edits[1] overlap',
    )
    expect(bytesOf('f').toString()).toBe('b a c\n')
  })

  test('what is there several times is no place, unless all are meant', async () => {
    put('f', 'x\ny\nx\n')
    expect(await failed('edit', { path: 'f', oldText: 'x', newText: 'z' })).toMatchObject({
      message: 'oldText is 2 times in f (lines 1, 3)',
      data: { count: 2, lines: [1, 3] },
    })
    expect(
      (await call('edit', { path: 'f', oldText: 'x', newText: 'z', replaceAll: true })).details,
    ).toMatchObject({
      replaced: 2,
    })
    expect(bytesOf('f').toString()).toBe('z\ny\nz\n')
    put('g', 'aaa')
    expect((await failed('edit', { path: 'g', oldText: 'aa', newText: 'b' })).message).toContain('2 times')
  })

  test('names the nearest place and never edits there', async () => {
    const text = 'function add(a, b) {\n  return a + b\n}\n\nfunction sub(a, b) {\n\treturn a - b\n}\n'
    put('f', text)
    const args = { path: 'f', oldText: 'function sub(a, b) {\n  return a - b', newText: '' }
    expect(await failed('edit', args)).toMatchObject({
      message: 'oldText is not in f; nearest: lines 5-6',
      hints: ['lines 5-6: white space is all that differs; copy it exactly'],
      data: { nearest: { from: 5, to: 6, onlyBlanks: true } },
    })
    expect(await failed('edit', { path: 'f', oldText: 'return a + c', newText: '' })).toMatchObject({
      message: 'oldText is not in f; nearest: line 2',
      hints: ['there: return a + b', 'looked for: return a + c'],
    })
    expect(bytesOf('f').toString()).toBe(text)
  })

  test('finds lines whatever their ends, and puts lines in with the ends of the place', async () => {
    put('f', 'one\r\ntwo\r\nthree\nfour\n')
    await call('edit', { path: 'f', oldText: 'one\ntwo', newText: '1\n1.5\n2' })
    expect(bytesOf('f').toString()).toBe('1\r\n1.5\r\n2\r\nthree\nfour\n')
    await call('edit', { path: 'f', oldText: 'three\nfour', newText: '3\n4' })
    expect(bytesOf('f').toString()).toBe('1\r\n1.5\r\n2\r\n3\n4\n')
    await call('edit', { path: 'f', oldText: '2\r\n', newText: '2\n' })
    expect(bytesOf('f').toString()).toBe('1\r\n1.5\r\n2\n3\n4\n')
    await call('edit', { path: 'f', oldText: '3\n4\n', newText: '3\r\n4' })
    expect(bytesOf('f').toString()).toBe('1\r\n1.5\r\n2\n3\r\n4')
  })

  test('refuses characters that the file cannot hold, and arguments that say two things', async () => {
    put('f', Buffer.from('caf\xe9', 'latin1'))
    expect(await failed('edit', { path: 'f', oldText: 'caf', newText: '€' })).toMatchObject({
      message: 'f is in an 8-bit encoding that has no U+20AC (€)',
    })
    await call('edit', { path: 'f', oldText: 'é', newText: 'è' })
    expect(bytesOf('f')).toEqual(Buffer.from('caf\xe8', 'latin1'))
    const bad: Args[] = [
      { path: 'f' },
      { path: 'f', oldText: 'a' },
      { path: 'f', oldText: '', newText: 'a' },
      { path: 'f', oldText: 'a', newText: 'a' },
      { path: 'f', edits: [] },
      { path: 'f', edits: [{ oldText: 'a', newText: 'b' }], oldText: 'a', newText: 'b' },
      { path: 'none', oldText: 'a', newText: 'b' },
    ]
    for (const args of bad) expect(await failed('edit', args)).toMatchObject({ code: 'INPUT_INVALID' })
  })
})

describe('ls', () => {
  test('lists by name, with kinds and sizes, up to a bound', async () => {
    mkdirSync(join(ws, 'dir'))
    put('b.txt', '12345')
    put('a\u001B[31m', '')
    symlinkSync('/nowhere', join(ws, 'link'))
    execFileSync('mkfifo', [join(ws, 'pipe')])
    const { content, details } = await call('ls', {})
    expect(content).toEqual([
      {
        type: 'text',
        text: 'a\\u{1b}[31m (0 bytes)\nb.txt (5 bytes)\ndir/\nlink -> /nowhere\npipe (pipe, socket or device)',
      },
    ])
    expect(details).toMatchObject({
      path: ws,
      total: 5,
      truncated: false,
      entries: [{}, { name: 'b.txt', type: 'file', size: 5 }, { name: 'dir', type: 'directory' }, {}, {}],
    })
    expect((await call('ls', { limit: 2 })).details).toMatchObject({ total: 5, truncated: true })
    expect((await call('ls', { path: 'dir' })).content).toEqual([{ type: 'text', text: '[dir is empty.]' }])
    expect(await failed('ls', { path: 'b.txt' })).toMatchObject({ message: 'b.txt is no directory' })
    expect((await failed('ls', { path: 'dri' })).hints).toEqual(['did you mean dir?'])
  })
})
