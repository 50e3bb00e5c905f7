import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load.ts'
import { getIn } from '../../../src/config/path-value.ts'
import { redact } from '../../../src/config/redact.ts'
import { scan, toValue } from '../../../src/config/scan.ts'
import { formatPath } from '../../../src/kernel/path.ts'
import type { Path } from '../../../src/kernel/path.ts'
import { failure, home } from './homes.ts'

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

describe('fixtures/config', () => {
  const fixtures = new URL('../../../fixtures/config/', import.meta.url).pathname
  const options = { env: { HOME: '/nowhere', DOCS_TOKEN: 'd' }, cwd: fixtures }

  test('a split config is merged, and each value is placed in its file', async () => {
    const loaded = await loadConfig({ ...options, file: 'split/openclaw.json5' })
    const lines = leaves(loaded.config).map((path) => {
      const place = loaded.locate(path)
      return `${place?.path} = ${JSON.stringify(getIn(loaded.config, path))} at ${place?.file}:${place?.line}:${place?.column}`
    })
    expect(lines.join('\n').replaceAll(`${fixtures}split/`, '')).toMatchInlineSnapshot(`
      "tools.profile = "coding" at base.json5:3:14
      tools.deny[0] = "exec" at base.json5:5:7
      tools.deny[1] = "process" at team.json5:2:23
      tools.deny[2] = "browser" at openclaw.json5:10:12
      tools.web.fetch.enabled = false at team.json5:2:66
      gateway.auth.mode = "token" at base.json5:8:28
      gateway.auth.token = "\${OPENCLAW_GATEWAY_TOKEN}" at base.json5:8:44
      mcp.servers.docs.url = "https://docs.example.com/mcp" at docs-server.json:1:8
      mcp.servers.docs.headers.Authorization = "Bearer d" at docs-server.json:1:66
      agents.entries.alpha.model = "openai/gpt-5" at agents/alpha.json5:2:10
      agents.entries.alpha.tools.profile = "full" at agents/alpha.json5:3:54
      agents.entries.alpha.tools.alsoAllow[0] = "exec" at agents/alpha-tools.json5:2:17"
    `)
    expect(loaded.notices.map(({ message }) => message)).toMatchInlineSnapshot(`
      [
        "gateway.auth.token: \${OPENCLAW_GATEWAY_TOKEN} stays as text: it is not set, or empty",
      ]
    `)
  })

  test.each(['missing-comma', 'template-literal', 'include-escape', 'cycle'])('broken/%s', async (name) => {
    const said = await failure(() => loadConfig({ ...options, file: `broken/${name}.json5` }))
    expect(said.replaceAll(fixtures, '')).toMatchSnapshot()
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
