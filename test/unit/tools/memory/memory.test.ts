import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memoryFiles, readMemory } from '../../../../src/tools/memory/files.ts'
import { openMemory } from '../../../../src/tools/memory/memory.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

const notes = {
  'MEMORY.md': `# Preferences

Anna likes green tea.

## Servers

The staging server is called hedgehog and listens on port 8123.
`,
  'memory/2026-11-29.md': `# 2026-11-29

Deployed version 3 of the billing service. It does not use Redis any more.
`,
  'memory/deep/er/plan.md': 'Plain text without a heading about the zeppelin.\n',
  'memory/.hidden.md': 'zeppelin zeppelin zeppelin',
  'memory/code.txt': 'zeppelin zeppelin zeppelin',
}

async function memory(config: object = {}, files: Readonly<Record<string, string>> = notes) {
  const options = await familyOptions({ config })
  const path = (name: string): string => join(options.workspace, name)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const family = openMemory(options)
  const search = async (query: string, more: object = {}) => {
    const { details } = await callTool(family, 'memory_search', { query, ...more })
    return details as { results: { citation: string; score: number; snippet: string }[]; skipped: string[] }
  }
  const get = (args: Record<string, unknown>) => callTool(family, 'memory_get', args)
  const cited = async (query: string) => (await search(query)).results.map(({ citation }) => citation)
  return { options, path, write, search, cited, get }
}

describe('memory_search', () => {
  test('finds passages by what they are about, and says on which lines they are', async () => {
    const { cited } = await memory()
    expect((await cited('which port does staging use'))[0]).toBe('MEMORY.md#L5-L7')
    expect((await cited('tea preferences'))[0]).toBe('MEMORY.md#L1-L3')
    // Tools say what they are not for, and that is not searched; what memory says is not used any more is.
    expect(await cited('redis')).toEqual(['memory/2026-11-29.md#L1-L3'])
    expect(await cited('zeppelin')).toEqual(['memory/deep/er/plan.md#L1-L1'])
    expect(await cited('quantum chromodynamics')).toEqual([])
  })

  test('reads texts in other encodings, and what is too much is left out and named', async () => {
    const { search, write, get, path } = await memory({}, {})
    writeFileSync(
      (write('memory/a.md', ''), path('memory/a.md')),
      Buffer.from('\uFEFFThe walrus\n', 'utf16le'),
    )
    writeFileSync(path('memory/b.md'), Buffer.from([0, 1, 2, 3]))
    // Of lines without words, so that they cost no time.
    for (let at = 0; at < 12; at += 1) write(`memory/c${at}.md`, '----\n'.repeat(200_000))
    write('memory/d.md', 'A small walrus\n')
    const { results, skipped } = await search('walrus')
    expect(results.map(({ citation }) => citation).toSorted()).toEqual([
      'memory/a.md#L1-L1',
      'memory/d.md#L1-L1',
    ])
    expect(skipped).toEqual(['memory/b.md', expect.stringContaining('memory/c'), ...skipped.slice(2)])
    expect((await get({ path: 'memory/a.md' })).details).toMatchObject({ text: 'The walrus' })
    expect(await failure(get({ path: 'memory/b.md' }))).toMatchObject({ code: 'TOOL_FAILED' })
  })

  test('says where a line was cut, and that a path with a zero character is none', async () => {
    const { get } = await memory({}, { 'MEMORY.md': 'x'.repeat(70_000) })
    const { details } = await get({ path: 'MEMORY.md' })
    expect(details).toMatchObject({
      text: expect.stringContaining('[4464 characters of this line are left out]'),
    })
    expect(await failure(get({ path: 'memory/a\0.md' }))).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('sees what has been written since', async () => {
    const { cited, write } = await memory()
    expect(await cited('walrus')).toEqual([])
    write('memory/today.md', 'A walrus called.\n')
    expect(await cited('walrus')).toEqual(['memory/today.md#L1-L1'])
  })

  test('keeps to the number and the score that were asked for', async () => {
    const { search } = await memory()
    expect((await search('staging version', { maxResults: 1 })).results).toHaveLength(1)
    const { results } = await search('staging port version')
    expect(results[0]?.score).toBe(1)
    const least = results.at(-1)?.score ?? 0
    expect(least).toBeLessThan(1)
    expect((await search('staging port version', { minScore: least + 0.01 })).results).toHaveLength(
      results.length - 1,
    )
  })

  test('cuts long texts into passages that name their lines', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `Line ${at + 1} tells of animal${at + 1} at length.`)
    const { search } = await memory({}, { 'MEMORY.md': lines.join('\n') })
    const [hit] = (await search('animal333')).results
    expect(hit?.snippet).toContain('animal333 ')
    const [, from, to] = /#L(\d+)-L(\d+)$/.exec(hit?.citation ?? '') ?? []
    expect(Number(from)).toBeLessThanOrEqual(333)
    expect(Number(to)).toBeGreaterThanOrEqual(333)
    expect(Number(to) - Number(from)).toBeLessThan(60)
  })

  test('leaves out files that are too large, and says so', async () => {
    const { search } = await memory({}, { ...notes, 'memory/big.md': 'zeppelin '.repeat(130_000) })
    const { results, skipped } = await search('zeppelin')
    expect(results.map(({ citation }) => citation)).toEqual(['memory/deep/er/plan.md#L1-L1'])
    expect(skipped).toEqual(['memory/big.md'])
  })

  test('looks into places that the config adds', async () => {
    const outside = await tempDir({ 'wiki/a.md': 'The walrus lives here.', 'wiki/b.bin': 'walrus' })
    const { cited } = await memory({
      agents: { defaults: { memorySearch: { extraPaths: [join(outside, 'wiki')] } } },
    })
    expect(await cited('walrus')).toEqual([`${join(outside, 'wiki', 'a.md')}#L1-L1`])
  })

  test('is off where the config says so, for one agent or for all', async () => {
    const { search } = await memory({ agents: { defaults: { memorySearch: { enabled: false } } } })
    const error = await failure(search('tea'))
    expect(error).toMatchObject({ code: 'TOOL_UNAVAILABLE' })
    expect(error.message).toContain('agents.defaults.memorySearch.enabled')
    const own = {
      defaults: { memorySearch: { enabled: false } },
      list: [{ id: 'main', memorySearch: { enabled: true } }],
    }
    expect((await (await memory({ agents: own })).search('tea')).results).toHaveLength(1)
  })
})

describe('memory_get', () => {
  test('gives a range of lines, and where to go on', async () => {
    const { get } = await memory()
    expect((await get({ path: 'MEMORY.md', from: 3, lines: 3 })).details).toEqual({
      path: 'MEMORY.md',
      exists: true,
      from: 3,
      lines: 3,
      totalLines: 7,
      text: 'Anna likes green tea.\n\n## Servers',
      nextFrom: 6,
    })
    expect((await get({ path: 'MEMORY.md', from: 7 })).details).toMatchObject({ lines: 1, totalLines: 7 })
    expect((await get({ path: 'MEMORY.md', from: 99 })).details).toMatchObject({ lines: 0, text: '' })
    expect((await get({ path: 'MEMORY.md#L5-L7' })).details).toMatchObject({ path: 'MEMORY.md' })
  })

  test('stays below 64 KiB for one call', async () => {
    const { get } = await memory({}, { 'MEMORY.md': `${'x'.repeat(999)}\n`.repeat(200) })
    const { details } = await get({ path: 'MEMORY.md', lines: 2000 })
    expect(details).toMatchObject({ lines: 65, nextFrom: 66, totalLines: 200 })
  })

  test('knows that notes may not have been made yet', async () => {
    const { get } = await memory()
    expect((await get({ path: 'memory/2026-12-01.md' })).details).toMatchObject({ exists: false, lines: 0 })
  })

  test.each([
    '../../../etc/passwd',
    '/etc/passwd',
    'memory/code.txt',
    'notes.md',
    'memory/../../x.md',
    'memory',
  ])('refuses %s', async (path) => {
    const { get } = await memory()
    expect(await failure(get({ path }))).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('follows no link out of memory, be it a file or a folder', async () => {
    const outside = await tempDir({ 'secret.md': 'zeppelin secret', 'sub/secret.md': 'zeppelin secret' })
    const { get, path, cited } = await memory()
    symlinkSync(join(outside, 'secret.md'), path('memory/link.md'))
    symlinkSync(join(outside, 'sub'), path('memory/linked'))
    expect(await cited('secret')).toEqual([])
    expect(await failure(get({ path: 'memory/link.md' }))).toMatchObject({ code: 'INPUT_INVALID' })
    expect(await failure(get({ path: 'memory/linked/secret.md' }))).toMatchObject({ code: 'INPUT_INVALID' })
    rmSync(path('MEMORY.md'))
    symlinkSync(join(outside, 'secret.md'), path('MEMORY.md'))
    expect(await failure(get({ path: 'MEMORY.md' }))).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('reads no file whose folder has become a link since it was found', async () => {
    const outside = await tempDir({ 'plan.md': 'zeppelin secret' })
    const { options, path } = await memory()
    const [found] = (await memoryFiles({ workspace: options.workspace, extra: [] })).filter(
      (file) => file.path === 'memory/deep/er/plan.md',
    )
    if (found === undefined) throw new Error('it was not found')
    expect(readMemory(found)).toContain('zeppelin')
    rmSync(path('memory/deep/er'), { recursive: true })
    symlinkSync(outside, path('memory/deep/er'))
    expect(readMemory(found)).toBeNull()
  })
})
