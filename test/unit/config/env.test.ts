import { describe, expect, test } from 'vitest'
import type { Env } from '../../../src/config/env.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { home } from './homes.ts'

interface Loaded {
  readonly config: unknown
  readonly notices: readonly string[]
}

async function load(
  text: string,
  env: Env = {},
  files: Readonly<Record<string, string>> = {},
): Promise<Loaded> {
  const directory = home({ '.openclaw/openclaw.json': text, ...files })
  const loaded = await loadConfig({ env: { HOME: directory, ...env }, cwd: `${directory}/work` })
  const notices = loaded.notices.map(({ id, severity, message, location }) =>
    `${id} ${severity} ${location?.line}:${location?.column} ${message}`.replaceAll(directory, '<home>'),
  )
  return { config: loaded.config, notices }
}

describe('${NAME}', () => {
  test.each([
    ['${GOOD}', 'v'],
    ['x-${GOOD}-y', 'x-v-y'],
    ['${GOOD}${OTHER_1}', 'vw'],
    ['$${GOOD}', '${GOOD}'],
    ['$$${GOOD}', '$${GOOD}'],
    ['$${GOOD}${GOOD}', '${GOOD}v'],
    ['${lower}', '${lower}'],
    ['${1X}', '${1X}'],
    ['${}', '${}'],
    ['$GOOD', '$GOOD'],
    ['${ GOOD }', '${ GOOD }'],
    ['$${lower}', '$${lower}'],
    ['${DOLLAR}', '$& $1 ${GOOD}'],
    ['plain', 'plain'],
  ])('%s', async (text, expected) => {
    const env = { GOOD: 'v', OTHER_1: 'w', DOLLAR: '$& $1 ${GOOD}' }
    expect(await load(JSON.stringify({ a: text, list: [{ b: text }] }), env)).toEqual({
      config: { a: expected, list: [{ b: expected }] },
      notices: [],
    })
  })

  test('keys stay as they are', async () => {
    expect((await load('{ "${GOOD}": "${GOOD}" }', { GOOD: 'v' })).config).toEqual({ '${GOOD}': 'v' })
  })

  test('what stays as text is reported with its place', async () => {
    const text = `{
  gateway: { auth: { token: "\${env:GW_TOKEN}" } },
  models: { providers: { p: { apiKey: "$P_KEY", baseUrl: "\${MISSING}/v1/\${MISSING}" } } },
  a: ["\${EMPTY}", "\${PORT:-8080}", "\${HOST-localhost}", "\${X:?secret text}", "$\${MISSING}", "$HOME", "\${lower}"],
  password: "\${lower}",
}`
    const { config, notices } = await load(text, { EMPTY: '' })
    expect(config).toMatchObject({
      a: [
        '${EMPTY}',
        '${PORT:-8080}',
        '${HOST-localhost}',
        '${X:?secret text}',
        '${MISSING}',
        '$HOME',
        '${lower}',
      ],
    })
    expect(notices.join('\n')).toMatchInlineSnapshot(`
      "env-missing warning 2:29 gateway.auth.token: \${env:GW_TOKEN} stays as text: variables are written without env:, as in \${NAME}
      env-missing warning 3:39 models.providers.p.apiKey: $P_KEY stays as text: variables are written \${NAME} with capital letters, digits and _
      env-missing warning 3:58 models.providers.p.baseUrl: \${MISSING} stays as text: it is not set, or empty
      env-missing warning 4:7 a[0]: \${EMPTY} stays as text: it is not set, or empty
      env-missing warning 4:19 a[1]: \${PORT:-…} stays as text: shell-style defaults are not supported; write \${PORT} and set PORT
      env-missing warning 4:36 a[2]: \${HOST-…} stays as text: shell-style defaults are not supported; write \${HOST} and set HOST
      env-missing warning 4:57 a[3]: \${X:?…} stays as text: shell-style defaults are not supported; write \${X} and set X
      env-missing warning 5:13 password: \${lower} stays as text: variables are written \${NAME} with capital letters, digits and _"
    `)
  })

  test.each([
    '${{ secrets.KEY }}',
    '{{ KEY }}',
    '{{env.KEY}}',
    '{env:KEY}',
    'env:KEY',
    '$env:KEY',
    '%KEY%',
    '$(pass show key)',
    'Bearer $KEY',
    'Bearer %KEY%',
  ])('a secret that only looks like a reference is reported: %s', async (written) => {
    const { config, notices } = await load(JSON.stringify({ mine: { apiKey: written, note: written } }), {
      KEY: 'v',
    })
    expect(config).toEqual({ mine: { apiKey: written, note: written } })
    const own = notices.filter((notice) => notice.startsWith('env-missing'))
    expect(own).toHaveLength(1)
    expect(own[0]).toContain('mine.apiKey: ')
    expect(own[0]).toContain('stays as text: variables are written ${NAME}')
    expect(own[0]).not.toContain('pass show')
  })

  test.each(['sk-1', '{"json": 1}', '100%', 'environment', 'Bearer abc', 'Bearer', 'a %b% c', '{{', 'env:'])(
    'a secret that is none is no reference: %s',
    async (written) => {
      const { notices } = await load(JSON.stringify({ mine: { apiKey: written } }))
      expect(notices.filter((notice) => notice.startsWith('env-missing'))).toEqual([])
    },
  )

  test('included values are replaced after the merge and placed in their file', async () => {
    const { config, notices } = await load(
      '{ a: { $include: "x.json" } }',
      { GOOD: 'v' },
      { '.openclaw/x.json': '\n{"b":["${GOOD}","${MISSING}"]}' },
    )
    expect(config).toEqual({ a: { b: ['v', '${MISSING}'] } })
    expect(notices).toEqual([
      'env-missing warning 2:17 a.b[1]: ${MISSING} stays as text: it is not set, or empty',
    ])
  })
})

describe('sources', () => {
  const text =
    '{ env: { vars: { NAME: "config", ONLY_CONFIG: "c-${NAME2}", LOOP: "${LOOP}" } }, a: "${NAME}", b: "${ONLY_CONFIG}" }'
  test.each<[string, Env, Readonly<Record<string, string>>, string]>([
    [
      'the process first',
      { NAME: 'process' },
      { 'work/.env': 'NAME=cwd', '.openclaw/.env': 'NAME=state' },
      'process',
    ],
    [
      'then .env in the working directory',
      {},
      { 'work/.env': 'NAME=cwd', '.openclaw/.env': 'NAME=state' },
      'cwd',
    ],
    [
      'then .env in the state directory',
      { NAME: '' },
      { 'work/.env': 'OTHER=1', '.openclaw/.env': 'NAME="state"' },
      'state',
    ],
    ['then env.vars of the config', {}, {}, 'config'],
  ])('%s', async (_name, env, files, expected) => {
    expect((await load(text, { NAME2: 'n', ...env }, files)).config).toMatchObject({ a: expected, b: 'c-n' })
  })

  test('a working directory gives neither credentials nor OPENCLAW_ names', async () => {
    const files = {
      'work/.env': 'OPENCLAW_X=evil\nAPI_KEY=evil\nGH_TOKEN=evil\nMY_PASS=evil\nREGION=eu',
      '.openclaw/.env': 'API_KEY=good',
    }
    const { config, notices } = await load(
      '{ a: ["${OPENCLAW_X}", "${API_KEY}", "${GH_TOKEN}", "${MY_PASS}", "${REGION}"] }',
      {},
      files,
    )
    expect(config).toEqual({ a: ['${OPENCLAW_X}', 'good', '${GH_TOKEN}', '${MY_PASS}', 'eu'] })
    expect(notices[0]).toMatchInlineSnapshot(
      `"env-missing warning 1:7 a[0]: \${OPENCLAW_X} stays as text: <home>/work/.env sets it, but credentials and OPENCLAW_ names are not taken from a working directory; put it in <home>/.openclaw/.env"`,
    )
    expect(notices).toHaveLength(3)
  })

  test('a variable of env.vars that refers to itself stays as text', async () => {
    const { config, notices } = await load('{ env: { vars: { LOOP: "${LOOP}" } }, a: "${LOOP}" }')
    expect(config).toMatchObject({ a: '${LOOP}' })
    expect(notices).toHaveLength(2)
  })
})
