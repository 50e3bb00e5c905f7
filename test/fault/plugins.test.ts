import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'

const manifestOf = (id: string): string =>
  JSON.stringify({ id, configSchema: { type: 'object' }, contracts: { tools: [`${id}_go`] } })

const working = (id: string): string =>
  `export default { id: '${id}', register(api) { api.registerTool({ name: '${id}_go', description: 'Goes.', parameters: { type: 'object' }, async execute() {} }) } }`

/** What can be wrong with the manifest or the files of a plugin: found without running anything. */
const brokenFiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  empty: { 'openclaw.plugin.json': '' },
  syntax: { 'openclaw.plugin.json': '{ "id": "syntax" "name": 1 }' },
  binary: { 'openclaw.plugin.json': '\ufffd\u0000\u0001' },
  deep: { 'openclaw.plugin.json': '['.repeat(100_000) },
  list: { 'openclaw.plugin.json': '[1, 2]' },
  nameless: { 'openclaw.plugin.json': '{ "configSchema": {} }' },
  hostile: { 'openclaw.plugin.json': '{ "id": "\\u001b[31mred", "configSchema": {} }' },
  proto: {
    'openclaw.plugin.json':
      '{ "id": "proto", "__proto__": { "x": 1 }, "constructor": 1, "configSchema": {}, "contracts": { "tools": ["constructor", "__proto__", "toString"] }, "toolMetadata": { "__proto__": { "optional": true } } }',
    'index.js': '',
  },
  reserved: { 'openclaw.plugin.json': manifestOf('core'), 'index.js': '' },
  codeless: { 'openclaw.plugin.json': manifestOf('codeless') },
  schemaless: {
    'openclaw.plugin.json': '{ "id": "schemaless", "configSchema": { "type": "objekt" } }',
    'index.js': '',
  },
  escaping: {
    'openclaw.plugin.json': '{ "id": "escaping", "configSchema": {}, "entry": "../good/index.js" }',
  },
}

/** What can be wrong with the code of a plugin: it matters to nobody until the code is run. */
const brokenCode: Readonly<Record<string, string>> = {
  unparsable: 'export default {{',
  throwing: 'throw new Error("at import")',
  rejecting: 'export default { id: "rejecting", register: () => Promise.reject(new Error("in register")) }',
  silent: 'export default { id: "silent", register: () => new Promise(() => {}) }',
  looping: 'export default { id: "looping", register() { for (;;) {} } }',
  leaving: 'process.exit(0)',
  printing:
    'console.log("{}"); process.stdout.write("x".repeat(1e6)); export default { id: "printing", register() {} }',
  straying:
    'setTimeout(() => { throw new Error("stray") }); await new Promise((end) => setTimeout(end, 500)); export default {}',
  meddling:
    'JSON.stringify = () => "{}"; Object.prototype.polluted = 1; Promise.prototype.then = null; export default { id: "meddling", register() {} }',
  swollen: 'const all = []; for (;;) all.push(new Array(1e6).fill(all))',
  undeclaring:
    'export default { id: "undeclaring", register(api) { api.registerTool({ name: "x", parameters: {}, execute() {} }) } }',
}

async function brokenHome(): Promise<string> {
  const home = await tempDir({
    '.openclaw/plugins/good/openclaw.plugin.json': manifestOf('good'),
    '.openclaw/plugins/good/index.js': working('good'),
  })
  const plugins = join(home, '.openclaw/plugins')
  for (const [name, files] of Object.entries(brokenFiles)) {
    await mkdir(join(plugins, name))
    for (const [file, text] of Object.entries(files)) await writeFile(join(plugins, name, file), text)
  }
  for (const [name, code] of Object.entries(brokenCode)) {
    await mkdir(join(plugins, name))
    await writeFile(join(plugins, name, 'openclaw.plugin.json'), manifestOf(name))
    await writeFile(join(plugins, name, 'index.mjs'), code)
  }
  await symlink('loop', join(plugins, 'loop'))
  await symlink(join(home, 'gone'), join(plugins, 'gone'))
  return home
}

test('broken plugins cost only themselves in answers that run no code', async () => {
  const home = await brokenHome()
  const { json, code, stderr } = await runJson(['tools', 'effective'], { home })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { groups, notices, hidden } = json as {
    groups: { id: string; tools: { name: string }[] }[]
    notices: { id: string; message: string; location: object | null }[]
    hidden: { id: string; source: string; step: string; rule: string }[]
  }
  const names = groups.find((group) => group.id === 'plugin')?.tools.map((tool) => tool.name)
  // Code that nobody has run cannot be judged: its tools are those of the manifest.
  const declared = ['good', ...Object.keys(brokenCode)].map((name) => `${name}_go`)
  expect(names).toEqual([...declared, 'constructor', 'toString'].toSorted())
  expect(notices.map(({ id, message }) => `${id}: ${message.replaceAll(home, '~')}`)).toMatchInlineSnapshot(`
    [
      "plugin-invalid: plugin "binary": expected a value, found �",
      "plugin-invalid: plugin "codeless": no code: neither entry in openclaw.plugin.json nor openclaw.extensions in package.json nor index.js (~/.openclaw/plugins/codeless/openclaw.plugin.json)",
      "plugin-invalid: plugin "deep": expected at most 500 levels of nesting",
      "plugin-invalid: plugin "empty": the manifest is empty (~/.openclaw/plugins/empty/openclaw.plugin.json)",
      "plugin-invalid: plugin "escaping": the code cannot be used: ../good/index.js is outside the folder of the plugin (~/.openclaw/plugins/escaping/openclaw.plugin.json)",
      "plugin-invalid: plugin "hostile": id "\\\\u{1b}[31mred": an id has 1 to 128 letters, digits, . _ - and / only",
      "plugin-invalid: plugin "list": a manifest must be an object, this is a list",
      "plugin-invalid: plugin "nameless": id is missing",
      "plugin-invalid: plugin "reserved": id "core": this id is reserved",
      "plugin-invalid: plugin "schemaless": configSchema cannot be used: it does not compile: type must be a JSON type or a list of them (at /type) (~/.openclaw/plugins/schemaless/openclaw.plugin.json)",
      "plugin-invalid: plugin "syntax": expected , or }, found "",
    ]
  `)
  expect(
    hidden.filter(({ source }) => source === 'plugin').map(({ id, step, rule }) => `${id}: ${step}, ${rule}`),
  ).toMatchInlineSnapshot(`
    [
      "__proto__: plugin, null",
      "codeless_go: plugin, plugin invalid",
    ]
  `)
})

test('plugins list shows every one of them', async () => {
  const home = await brokenHome()
  const { code, stdout, stderr } = await runCli(['plugins', 'list'], { home, cwd: home })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.replaceAll(home, '~')).toMatchInlineSnapshot(`
    "binary       –  invalid  0  the plugin binary cannot run: expected a value, found �
    codeless     –  invalid  1  the plugin codeless cannot run: no code: neither entry in openclaw.plugin.json nor openclaw.extensions in package.json nor index.js
    deep         –  invalid  0  the plugin deep cannot run: expected at most 500 levels of nesting
    empty        –  invalid  0  the plugin empty cannot run: the manifest is empty
    escaping     –  invalid  0  the plugin escaping cannot run: the code cannot be used: ../good/index.js is outside the folder of the plugin
    good         –  enabled  1  .openclaw/plugins/good
    hostile      –  invalid  0  the plugin hostile cannot run: id "\\\\u{1b}[31mred": an id has 1 to 128 letters, digits, . _ - and / only
    leaving      –  enabled  1  .openclaw/plugins/leaving
    list         –  invalid  0  the plugin list cannot run: a manifest must be an object, this is a list
    looping      –  enabled  1  .openclaw/plugins/looping
    meddling     –  enabled  1  .openclaw/plugins/meddling
    nameless     –  invalid  0  the plugin nameless cannot run: id is missing
    printing     –  enabled  1  .openclaw/plugins/printing
    proto        –  enabled  3  .openclaw/plugins/proto
    rejecting    –  enabled  1  .openclaw/plugins/rejecting
    reserved     –  invalid  0  the plugin reserved cannot run: id "core": this id is reserved
    schemaless   –  invalid  0  the plugin schemaless cannot run: configSchema cannot be used: it does not compile: type must be a JSON type or a list of them (at /type)
    silent       –  enabled  1  .openclaw/plugins/silent
    straying     –  enabled  1  .openclaw/plugins/straying
    swollen      –  enabled  1  .openclaw/plugins/swollen
    syntax       –  invalid  0  the plugin syntax cannot run: expected , or }, found "
    throwing     –  enabled  1  .openclaw/plugins/throwing
    undeclaring  –  enabled  1  .openclaw/plugins/undeclaring
    unparsable   –  enabled  1  .openclaw/plugins/unparsable

    error expected a value, found �
        at .openclaw/plugins/binary/openclaw.plugin.json:1:1
    error no code: neither entry in openclaw.plugin.json nor openclaw.extensions in package.json nor index.js
        at .openclaw/plugins/codeless/openclaw.plugin.json
    error expected at most 500 levels of nesting
        at .openclaw/plugins/deep/openclaw.plugin.json:1:501
    error the manifest is empty
        at .openclaw/plugins/empty/openclaw.plugin.json
    error the code cannot be used: ../good/index.js is outside the folder of the plugin
        at .openclaw/plugins/escaping/openclaw.plugin.json
    error id "\\\\u{1b}[31mred": an id has 1 to 128 letters, digits, . _ - and / only
        at .openclaw/plugins/hostile/openclaw.plugin.json:1:9
    error a manifest must be an object, this is a list
        at .openclaw/plugins/list/openclaw.plugin.json:1:1
    error id is missing
        at .openclaw/plugins/nameless/openclaw.plugin.json:1:1
    error id "core": this id is reserved
        at .openclaw/plugins/reserved/openclaw.plugin.json:1:7
    error configSchema cannot be used: it does not compile: type must be a JSON type or a list of them (at /type)
        at .openclaw/plugins/schemaless/openclaw.plugin.json
    error expected , or }, found "
        at .openclaw/plugins/syntax/openclaw.plugin.json:1:18
    warning ~/.openclaw/plugins/gone does not exist
        at .openclaw/plugins/gone
    warning ~/.openclaw/plugins/loop is a loop of symbolic links
        at .openclaw/plugins/loop
    "
  `)
})

/** Code that is only given up after its time. */
const slow = ['looping', 'silent', 'swollen']
const isFull = process.env.OPENCLAW_TEST_FULL === '1'

const outcomes: Readonly<Record<string, readonly string[]>> = {
  good: ['enabled', 'good_go: visible'],
  leaving: [
    'invalid',
    'leaving_go: unavailable',
    'error: it ended its process with exit code 0 while its code was imported',
  ],
  looping: [
    'invalid',
    'looping_go: unavailable',
    'error: it blocks its thread for more than 5000 ms in register',
  ],
  meddling: [
    'invalid',
    'meddling_go: unavailable',
    'error: it failed (TypeError: object null is not a function) in register',
  ],
  printing: [
    'enabled',
    'printing_go: unavailable',
    'warning: tool printing_go is declared in contracts.tools but not registered',
  ],
  rejecting: ['invalid', 'rejecting_go: unavailable', 'error line 1: register failed: Error: in register'],
  silent: ['invalid', 'silent_go: unavailable', 'error: register failed: it took longer than 5000 ms'],
  straying: [
    'invalid',
    'straying_go: unavailable',
    'error: it failed (Error: stray) while its code was imported',
  ],
  swollen: [
    'invalid',
    'swollen_go: unavailable',
    expect.stringMatching(/^error: it (?:blocks its thread|failed)/),
  ],
  throwing: [
    'invalid',
    'throwing_go: unavailable',
    'error line 1: the code cannot be imported: Error: at import',
  ],
  undeclaring: [
    'enabled',
    'undeclaring_go: unavailable',
    'error: tool x is registered but not exposed: contracts.tools of its manifest does not declare it',
    'warning: tool undeclaring_go is declared in contracts.tools but not registered',
  ],
  unparsable: [
    'invalid',
    'unparsable_go: unavailable',
    "error line 1: the code cannot be imported: SyntaxError: Unexpected token '{'",
  ],
}

const inspected = ['good', ...Object.keys(brokenCode)].filter((name) => isFull || !slow.includes(name))

test.each(inspected)('inspect --runtime: %s', async (name) => {
  const home = await brokenHome()
  const { json, code, stderr } = await runJson(['plugins', 'inspect', name, '--runtime'], { home })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { status, diagnostics, tools } = json as {
    status: string
    diagnostics: { severity: string; message: string; location: { line: number } | null }[]
    tools: { name: string; verdict: string }[]
  }
  const told = diagnostics.map(
    ({ severity, message, location }) =>
      `${severity}${location ? ` line ${location.line}` : ''}: ${message.replaceAll(home, '~')}`,
  )
  expect([status, ...tools.map((tool) => `${tool.name}: ${tool.verdict}`), ...told]).toEqual(outcomes[name])
})

test('an inspection that takes too long ends with --timeout', async () => {
  const home = await brokenHome()
  const { json, code } = await runJson(['plugins', 'inspect', 'looping', '--runtime', '--timeout', '0.5'], {
    home,
  })
  expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: 'TIMEOUT' } } })
})

/** A plugin whose one tool does `body`, and whose hook of every call does `hook`. */
function homeWith(body: string, hook = ''): Promise<string> {
  return tempDir({
    '.openclaw/plugins/odd/openclaw.plugin.json': manifestOf('odd'),
    '.openclaw/plugins/odd/index.mjs': `import { connect } from 'node:net'
      const pause = (ms) => new Promise((end) => setTimeout(end, ms))
      const ok = { content: [{ type: 'text', text: 'done' }] }
      export default { id: 'odd', register(api) {
        api.registerTool({ name: 'odd_go', description: 'Goes.', parameters: { type: 'object' }, async execute() { ${body} } })
        api.on('before_tool_call', async () => { ${hook} })
      } }`,
  })
}

test.each([
  ['ends the process', 'process.exit(9)', /^process\.exit\(9\) is refused/],
  ['ends the process later', 'setTimeout(() => process.exit(9)); await pause(60_000)', /process\.exit\(9\)/],
  ['aborts the process', 'process.abort()', /^process\.abort\(\) is refused/],
  ['throws from a timer', "setTimeout(() => { throw new Error('late') }); await pause(60_000)", /late/],
  ['drops a promise', "Promise.reject(new Error('late')); await pause(60_000)", /late/],
  ['throws a text from a timer', "setTimeout(() => { throw 'late' }); await pause(60_000)", /late/],
  [
    'throws what has no words',
    'setTimeout(() => { throw Object.create(null) }); await pause(60_000)',
    /threw/,
  ],
  ['leaves a socket alone', "connect(1, '127.0.0.1'); await pause(60_000)", /ECONNREFUSED/],
])('a tool that %s fails its call, and the program answers', async (_what, body, message) => {
  const home = await homeWith(body)
  const { json, code } = await runJson(['tools', 'call', 'odd_go', '--timeout', '30'], { home })
  expect({ code, json }).toMatchObject({
    code: 1,
    json: { error: { code: 'TOOL_FAILED', message: expect.stringMatching(message) } },
  })
})

test('a hook that ends the process blocks the call', async () => {
  const home = await homeWith('return ok', 'process.exit(0)')
  const { json, code } = await runJson(['tools', 'call', 'odd_go'], { home })
  expect({ code, json }).toMatchObject({ code: 3, json: { error: { code: 'TOOL_BLOCKED' } } })
})

test('what a plugin throws while nobody waits for it costs no other call', async () => {
  const home = await homeWith('return ok', "setTimeout(() => { throw new Error('late') }, 1)")
  const snippet = join(home, 'snippet.js')
  await writeFile(
    snippet,
    `const calls = []
    for (let n = 0; n < 3; n++) calls.push(await openclaw.tools.call('get_goal', {}).then(() => 'fine', (error) => error.message))
    return calls`,
  )
  const { json, code, stderr } = await runJson(['tools', 'run', '--code', snippet], { home })
  expect({ code, json, stderr }).toMatchObject({
    code: 0,
    json: { ok: true, value: ['fine', 'fine', 'fine'] },
    stderr: expect.stringContaining('warning: plugin "odd": Error: late, thrown where nobody waits for it'),
  })
})

test('a tool that is declared and not registered is unavailable, not unknown', async () => {
  const home = await homeWith('return ok')
  await writeFile(
    join(home, '.openclaw/plugins/odd/openclaw.plugin.json'),
    JSON.stringify({ id: 'odd', configSchema: {}, contracts: { tools: ['odd_go', 'odd_none'] } }),
  )
  for (const id of ['odd_none', 'openclaw:odd:odd_none']) {
    const { json, code } = await runJson(['tools', 'call', id], { home })
    expect({ code, json }).toMatchObject({
      code: 1,
      json: { error: { code: 'TOOL_UNAVAILABLE', hints: ['openclaw plugins inspect odd --runtime'] } },
    })
  }
})

test('what is not written out of many faults is where the hint says', async () => {
  const home = await brokenHome()
  const { stderr } = await runCli(['tools', 'effective'], { home })
  expect(stderr).toContain('more [plugin-invalid]; openclaw tools effective --json lists them')
  const { json } = await runJson(['tools', 'effective'], { home })
  const { notices } = json as { notices: { id: string }[] }
  expect(notices.filter(({ id }) => id === 'plugin-invalid').length).toBeGreaterThan(3)
})
