import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load.ts'
import { getIn } from '../../../src/config/path-value.ts'
import { redact } from '../../../src/config/redact.ts'
import { scan, toValue } from '../../../src/config/scan.ts'
import { formatPath } from '../../../src/kernel/path.ts'
import type { Path } from '../../../src/kernel/path.ts'
import { home } from './homes.ts'

const realConfigs = new URL('../../../fixtures/realconfigs/', import.meta.url).pathname

describe('loadConfig', () => {
  test('gives the root as written, the merge as written, and the values', async () => {
    const directory = home({
      'openclaw.json': '{ a: "${A}", b: { $include: "b.json" } }',
      'b.json': '{ "c": "${A}" }',
    })
    const loaded = await loadConfig({
      file: 'openclaw.json',
      env: { HOME: directory, A: 'v' },
      cwd: directory,
    })
    expect(loaded).toMatchObject({
      file: join(directory, 'openclaw.json'),
      exists: true,
      home: directory,
      stateDir: join(directory, '.openclaw'),
      raw: { a: '${A}', b: { $include: 'b.json' } },
      authored: { a: '${A}', b: { c: '${A}' } },
      config: { a: 'v', b: { c: 'v' } },
      notices: [],
    })
    expect([...loaded.documents.keys()]).toEqual([join(directory, 'b.json')])
  })

  test('a missing default is an empty config without places', async () => {
    const directory = home()
    const loaded = await loadConfig({ env: { HOME: directory }, cwd: directory })
    expect(loaded).toMatchObject({ exists: false, config: {}, raw: {}, notices: [], document: null })
    expect(loaded.locate([])).toBeNull()
    expect(loaded.ownerOf([])).toBeNull()
  })

  test('places are those of the last of a repeated key, past a byte order mark and CRLF', async () => {
    const directory = home({ 'c.json5': '\ufeff{ a: [1],\r\n  // x\r\n  a: [2, { "b": 3 }] }' })
    const { locate } = await loadConfig({ file: 'c.json5', env: { HOME: directory }, cwd: directory })
    const places = [[], ['a'], ['a', 1, 'b'], ['a', '1', 'b'], ['a', 2], ['a', ''], ['x']].map((path) => {
      const place = locate(path)
      return place === null ? null : `${place.path} ${place.line}:${place.column}`
    })
    expect(places).toEqual([' 1:1', 'a 3:6', 'a[1].b 3:17', 'a[1].b 3:17', null, null, null])
  })
})

/** Paths of every scalar in a value. */
function leaves(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value)
  return entries.flatMap(([key, entry]) => leaves(entry, [...at, key]))
}

describe('real configs', () => {
  const names = readdirSync(realConfigs)

  test('there are some', () => {
    expect(names.length).toBeGreaterThan(10)
  })

  test.each(names)('%s loads, and every value has its place', async (name) => {
    const file = join(realConfigs, name)
    const text = readFileSync(file, 'utf8')
    const loaded = await loadConfig({ file, env: { HOME: '/nowhere' }, cwd: '/' })
    const { problem, root } = scan(text)
    expect(problem).toBeNull()
    expect(root === null ? null : toValue(root)).toEqual(loaded.config)

    const lines = text.split('\n')
    const wrong = leaves(loaded.config).filter((path) => {
      const place = loaded.locate(path)
      if (place === null || place.path !== formatPath(path)) return true
      const rest = lines[place.line - 1]?.slice(place.column - 1) ?? ''
      const value = getIn(loaded.config, path)
      if (value === null || typeof value === 'object') return !/^(?:null|\{\s*\}|\[\s*\])/.test(rest)
      const written = typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : String(value)
      return !(typeof value === 'string' ? rest.slice(1) : rest).startsWith(written)
    })
    expect(wrong).toEqual([])
  })

  test('each notice of theirs is about a variable', async () => {
    const counts: Record<string, number> = {}
    for (const name of names) {
      const { notices } = await loadConfig({
        file: join(realConfigs, name),
        env: { HOME: '/nowhere' },
        cwd: '/',
      })
      const places = new Set(notices.map(({ location }) => `${location?.line}:${location?.column}`))
      if (places.size > 0) counts[name] = places.size
      expect(notices.filter(({ id }) => id !== 'env-missing')).toEqual([])
    }
    expect(counts).toMatchInlineSnapshot(`
      {
        "07-spec-to-pr-sandbox-all-search-off.json5": 14,
        "11-network-ops-60-mcp-wrong-key.json5": 16,
        "14-laptop-env-baseurl.json5": 2,
        "19-company-bot-mcp-bridge-glob.json5": 4,
      }
    `)
  })

  test('the shell-style defaults of the network config have their own message', async () => {
    const file = join(realConfigs, '11-network-ops-60-mcp-wrong-key.json5')
    const { notices } = await loadConfig({ file, env: { HOME: '/nowhere', OBS_URL: 'x' }, cwd: '/' })
    expect(notices.filter(({ message }) => message.includes('OBS_')).map(({ message }) => message))
      .toMatchInlineSnapshot(`
      [
        "mcpServers.obs-mcp.env.OBS_VERIFY_SSL: \${OBS_VERIFY_SSL:-…} stays as text: shell-style defaults are not supported; write \${OBS_VERIFY_SSL} and set OBS_VERIFY_SSL",
        "mcpServers.obs-mcp.env.OBS_TIMEOUT: \${OBS_TIMEOUT:-…} stays as text: shell-style defaults are not supported; write \${OBS_TIMEOUT} and set OBS_TIMEOUT",
      ]
    `)
  })

  test('redaction hides their example secrets and keeps their switches', async () => {
    const file = join(realConfigs, '13-teams-slack-plugins-allow.json5')
    const { config } = await loadConfig({ file, env: { HOME: '/nowhere' }, cwd: '/' })
    const shown = JSON.stringify(redact(config))
    expect(shown).not.toContain('EXAMPLE_')
    expect(shown).toContain('"userTokenReadOnly":true')
    expect(shown).toContain('{"source":"env","var":"PPLX_API_KEY"}')
    expect(shown).toContain('"id":"/home/u/search_key.txt"')
    expect(shown).toContain('"maxTokens":128000')
  })
})
