import { expect, test } from 'vitest'
import { probePlugin } from '../../../src/plugins/probe.ts'
import { kit, lines, pluginOf, type PluginFiles } from './plugin-homes.ts'

const context = {
  agentId: 'main',
  sessionKey: 'agent:main:main',
  channel: null,
  workspace: '/w',
  sandboxed: false,
  provider: null,
  model: null,
}

/** Runs the code of a plugin and says what it registers, what is wrong and what it prints. */
async function probed(
  files: PluginFiles,
  options: { config?: unknown; limitMs?: number } = {},
): Promise<string> {
  const plugin = await pluginOf(files)
  const { loaded, tools, hooks, diagnostics, output } = await probePlugin(plugin, {
    config: options.config,
    limitMs: options.limitMs ?? 5000,
    context,
  })
  return [
    loaded ? 'loaded' : 'not loaded',
    ...tools.map((tool) => `tool ${JSON.stringify(tool)}`),
    ...hooks.map((hook) => `hook ${JSON.stringify(hook)}`),
    lines(diagnostics, plugin.folder),
    ...output.map((line) => `> ${line}`),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** A plugin `kit` with this code in register. */
const registering = (code: string, ...tools: string[]): PluginFiles => ({
  'openclaw.plugin.json': kit(...tools),
  'index.js': `export default { id: 'kit', async register(api) {\n${code}\n} }`,
})

const tool = (name: string, more = ''): string =>
  `{ name: '${name}', description: 'd', parameters: { type: 'object' }, async execute() {}, ${more} }`

test('tools, factories and hooks, written with the helpers in TypeScript', async () => {
  const code = `
import { definePluginEntry, defineTool, textResult, type ToolContext } from 'openclaw-toolchain/plugin'

export default definePluginEntry<{ limit: number }>({
  id: 'kit',
  name: 'Kit',
  register(api) {
    console.log('limit', api.config.limit)
    api.logger.warn('careful')
    api.registerTool(
      defineTool({
        name: 'kit_run',
        label: 'Run',
        description: 'Runs.',
        parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        outputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
        catalogMode: 'direct-only',
        executionMode: 'sequential',
        risk: 'high',
        tags: ['run'],
        async execute(_id, { n }) {
          return textResult(String(n), { n })
        },
      }),
    )
    api.registerTool(
      (context: ToolContext) => ({
        name: 'kit_where',
        description: context.agentId + ' in ' + context.workspace,
        parameters: { type: 'object' },
        execute: async () => textResult('here'),
      }),
      { name: 'kit_where', optional: true },
    )
    api.registerTool(() => null, { names: ['kit_never'] })
    api.on('after_tool_call', () => {})
    api.on('before_tool_call', () => undefined, { priority: 5, timeoutMs: 100 })
  },
})
`
  const manifest = {
    ...kit('kit_run', 'kit_where', 'kit_never'),
    configSchema: { type: 'object', properties: { limit: { type: 'integer', default: 7 } } },
  }
  expect(await probed({ 'openclaw.plugin.json': manifest, 'index.ts': code })).toMatchInlineSnapshot(`
    "loaded
    tool {"name":"kit_run","label":"Run","description":"Runs.","parameters":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}},"catalogMode":"direct-only","executionMode":"sequential","risk":"high","tags":["run"]}
    tool {"name":"kit_where","description":"main in /w","parameters":{"type":"object"},"optional":true}
    hook {"event":"before_tool_call","priority":5,"timeoutMs":100}
    hook {"event":"after_tool_call","priority":0,"timeoutMs":5000}
    info tool index.ts [kit_never]: its factory makes no tool kit_never for this session
    > limit 7
    > warn: careful"
  `)
})

test.each([
  ['a plain object', `export default { id: 'kit', register(api) { api.registerTool(${tool('a')}) } }`],
  [
    'a module whose exports are the entry',
    `export const id = 'kit'\nexport function register(api) { api.registerTool(${tool('a')}) }`,
  ],
  [
    'compiled to CommonJS',
    `Object.defineProperty(exports, '__esModule', { value: true })\nexports.default = { id: 'kit', register(api) { api.registerTool(${tool('a')}) } }`,
  ],
  [
    'of an earlier host',
    `import { definePluginEntry } from 'openclaw/plugin-sdk/plugin-entry'\nexport default definePluginEntry({ id: 'kit', register(api) { api.registerTool(${tool('a')}); api.registerCommand({}) } })`,
  ],
])('an entry: %s', async (_what, code) => {
  const result = await probed({ 'openclaw.plugin.json': kit('a'), 'index.js': code })
  expect(result).toContain('loaded\ntool {"name":"a","description":"d","parameters":{"type":"object"}}')
  expect(
    result
      .split('\n')
      .slice(2)
      .filter((line) => !line.includes('registerCommand is not supported')),
  ).toEqual([])
})

test('code that cannot be run costs only its plugin, and is told with its place', async () => {
  const codes: Record<string, string> = {
    'a syntax error': 'export default {\n  id: = 1\n}',
    'a throw while it is imported': 'const a = 1\n\nfunction f() {\n  throw new TypeError("boom")\n}\nf()',
    'a throw of text': 'throw "gone"',
    'a missing package': 'import x from "no-such-package"\nexport default x',
    'a missing file': 'import x from "./nope.js"\nexport default x',
    'a missing export': 'import { nope } from "openclaw-toolchain/plugin"\nexport default nope',
    'no entry': 'export const answer = 42',
    nothing: '',
    'an entry without register': 'export default { id: "kit" }',
    'register throws': 'export default { id: "kit", register(api) {\n  api.config.a.b()\n} }',
    'register rejects': 'export default { id: "kit", async register() {\n  throw new RangeError("no")\n} }',
    'a stray throw':
      'export default { id: "kit", async register() { setTimeout(() => { throw new Error("stray") }); await new Promise((r) => setTimeout(r, 2000)) } }',
    'a stray rejection':
      'export default { id: "kit", async register() { Promise.reject(new Error("stray")); await new Promise((r) => setTimeout(r, 2000)) } }',
    'an exit': 'process.exit(3)',
    'an exit in register': 'export default { id: "kit", register() { process.exit() } }',
  }
  const results: string[] = []
  for (const [what, code] of Object.entries(codes)) {
    results.push(`${what}\n${await probed({ 'openclaw.plugin.json': kit('a'), 'index.mjs': code })}`)
  }
  expect(results.join('\n')).toMatchInlineSnapshot(`
    "a syntax error
    not loaded
    error code index.mjs:2:7: the code cannot be imported: SyntaxError: Unexpected token '='
    a throw while it is imported
    not loaded
    error code index.mjs:4:9: the code cannot be imported: TypeError: boom
    a throw of text
    not loaded
    error code index.mjs: the code cannot be imported: threw gone
    a missing package
    not loaded
    error code index.mjs: the code cannot be imported: Error: Cannot find package 'no-such-package' imported from <folder>/index.mjs (ERR_MODULE_NOT_FOUND)
    a missing file
    not loaded
    error code index.mjs: the code cannot be imported: Error: Cannot find module '<folder>/nope.js' imported from <folder>/index.mjs (ERR_MODULE_NOT_FOUND)
    a missing export
    not loaded
    error code index.mjs:1:10: the code cannot be imported: SyntaxError: The requested module 'openclaw-toolchain/plugin' does not provide an export named 'nope'
    no entry
    not loaded
    error code index.mjs: the code has no default export with a register function; write export default definePluginEntry({ id, register(api) { … } })
    nothing
    not loaded
    error code index.mjs: the code has no default export with a register function; write export default definePluginEntry({ id, register(api) { … } })
    an entry without register
    not loaded
    error code index.mjs: the code has no default export with a register function; write export default definePluginEntry({ id, register(api) { … } })
    register throws
    not loaded
    error code index.mjs:2:16: register failed: TypeError: Cannot read properties of undefined (reading 'b')
    register rejects
    not loaded
    error code index.mjs:2:9: register failed: RangeError: no
    a stray throw
    not loaded
    error code index.mjs: it failed (Error: stray) in register
    a stray rejection
    not loaded
    error code index.mjs: it failed (Error: stray) in register
    an exit
    not loaded
    error code index.mjs: it ended its process with exit code 3 while its code was imported
    an exit in register
    not loaded
    error code index.mjs: it ended its process with exit code 0 in register"
  `)
})

test('TypeScript that cannot be run', async () => {
  const results: string[] = []
  for (const code of ['export default {\n  id: string = ,\n}', 'enum A { a }\nexport default A']) {
    results.push(await probed({ 'openclaw.plugin.json': kit('a'), 'index.ts': code }))
  }
  expect(results.join('\n')).toMatchInlineSnapshot(`
    "not loaded
    error code index.ts:2:16: the code cannot be imported: SyntaxError: Expression expected (ERR_INVALID_TYPESCRIPT_SYNTAX)
    not loaded
    error code index.ts:1:1: the code cannot be imported: SyntaxError: TypeScript enum is not supported in strip-only mode (ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX)"
  `)
})

test('code that never ends is left alone after its time', async () => {
  const codes: Record<string, string> = {
    'a promise while it is imported': 'await new Promise(() => { setInterval(() => {}, 1000) })',
    'a promise in register':
      'export default { id: "kit", register: () => new Promise(() => { setInterval(() => {}, 1000) }) }',
    'nothing left to wait for': 'export default { id: "kit", register: () => new Promise(() => {}) }',
    'promises in factories':
      'export default { id: "kit", register(api) { for (const name of ["a", "b"]) api.registerTool(() => new Promise(() => {}), { names: ["a", name] }) } }',
    'a loop while it is imported': 'for (;;) {}',
    'a loop in register': 'export default { id: "kit", register() { for (;;) {} } }',
    'a loop in a factory':
      'export default { id: "kit", register(api) { api.registerTool(() => { for (;;) {} }) } }',
  }
  const results: string[] = []
  for (const [what, code] of Object.entries(codes)) {
    const files = { 'openclaw.plugin.json': kit('a'), 'index.mjs': code }
    results.push(`${what}\n${await probed(files, { limitMs: 500 })}`)
  }
  expect(results.join('\n')).toMatchInlineSnapshot(`
    "a promise while it is imported
    not loaded
    error code index.mjs: the code cannot be imported: it took longer than 500 ms
    a promise in register
    not loaded
    error code index.mjs: register failed: it took longer than 500 ms
    nothing left to wait for
    not loaded
    error code index.mjs: register failed: it took longer than 500 ms
    promises in factories
    loaded
    error tool index.mjs [a]: the factory of a failed: it took longer than 500 ms
    error tool index.mjs [a]: the factory of a, b failed: it took longer than 500 ms
    a loop while it is imported
    not loaded
    error code index.mjs: it blocks its thread for more than 500 ms while its code was imported
    a loop in register
    not loaded
    error code index.mjs: it blocks its thread for more than 500 ms in register
    a loop in a factory
    not loaded
    error code index.mjs: it blocks its thread for more than 500 ms in a tool factory"
  `)
})

test('a tool is exposed only if it is well-formed, declared and the first of its name', async () => {
  expect(
    await probed(
      registering(
        `
api.registerTool(${tool('a')})
api.registerTool(${tool(' A ')})
api.registerTool(${tool('undeclared')})
api.registerTool(null)
api.registerTool('a')
api.registerTool([])
api.registerTool({ description: 'x', parameters: {}, execute() {} })
api.registerTool({ name: 'b', description: 'x', parameters: {} })
api.registerTool({ name: 'c', parameters: 'x', execute() {} })
const cycle = {}
cycle.self = cycle
api.registerTool({ name: 'd', parameters: cycle, execute() {} })
api.registerTool(() => { throw new Error('no key') }, { name: 'e' })
api.registerTool(() => { throw new Error('asked in vain') }, { names: ['secret'] })
api.registerTool(() => [${tool('f')}, ${tool('g')}, 7])
api.registerTool(async () => ({ ...${tool('h')} }), { optional: true })
api.registerTool(class { static name = 'k'; static parameters = {}; static execute() {} })
`,
        'a',
        'b',
        'c',
        'd',
        'e',
        'f',
        'g',
        'h',
        'i',
      ),
    ),
  ).toMatchInlineSnapshot(`
    "loaded
    tool {"name":"a","description":"d","parameters":{"type":"object"}}
    tool {"name":"f","description":"d","parameters":{"type":"object"}}
    tool {"name":"g","description":"d","parameters":{"type":"object"}}
    tool {"name":"h","description":"d","parameters":{"type":"object"},"optional":true}
    error tool index.js: registerTool got neither a tool nor a function that makes one
    error tool index.js: registerTool got neither a tool nor a function that makes one
    error tool index.js: registerTool got neither a tool nor a function that makes one
    error tool index.js:15:32 [e]: the factory of e failed: Error: no key
    error tool index.js: a tool factory failed: TypeError: Class constructors cannot be invoked without 'new'
    warning tool index.js [A]: tool A is registered twice; the first one counts
    error tool index.js [undeclared]: tool undeclared is registered but not exposed: contracts.tools of its manifest does not declare it
    error tool index.js: a tool is malformed: it has no name
    error tool index.js [b]: tool b is malformed: execute is no function
    error tool index.js [c]: tool c is malformed: parameters is no JSON Schema object
    error tool index.js [secret]: tool secret is registered but not exposed: contracts.tools of its manifest does not declare it
    error tool index.js: a tool is malformed: it is no object
    warning tool index.js [i]: tool i is declared in contracts.tools but not registered
    error tool index.js [d]: tool d is malformed: its schemas are no JSON"
  `)
})

test('a manifest without contracts.tools exposes nothing', async () => {
  const files = {
    ...registering(`api.registerTool(${tool('a')})`),
    'openclaw.plugin.json': { id: 'kit', configSchema: {} },
  }
  expect(await probed(files)).toMatchInlineSnapshot(`
    "loaded
    error tool index.js [a]: tool a is registered but not exposed: its manifest has no contracts.tools"
  `)
})

test('what is registered is bounded, checked and only taken during register', async () => {
  expect(
    await probed(
      registering(
        `
api.on('before_tool', () => {})
api.on('whatever', () => {})
api.on(undefined, () => {})
api.on('after_tool_call', 'code')
api.on('after_tool_call', () => {}, { priority: 'high', timeoutMs: -1 })
api.on('after_tool_call', () => {}, { priority: 1.5, timeoutMs: 1e12 })
setTimeout(() => api.registerTool(${tool('late')}))
`,
        'late',
      ),
    ),
  ).toMatchInlineSnapshot(`
    "loaded
    hook {"event":"after_tool_call","priority":0,"timeoutMs":5000}
    hook {"event":"after_tool_call","priority":1.5,"timeoutMs":600000}
    warning hook index.js: there is no hook before_tool; did you mean before_tool_call?
    warning hook index.js: there is no hook whatever
    warning hook index.js: there is no hook undefined
    error hook index.js: the handler of after_tool_call is no function
    warning hook index.js: after_tool_call: priority is no number; it is 0
    warning hook index.js: after_tool_call: timeoutMs is no positive number; it is 5000
    warning tool index.js [late]: tool late is declared in contracts.tools but not registered"
  `)
  const many = registering(`for (let n = 0; n < 5000; n++) api.on('after_tool_call', () => {})`)
  const result = await probed(many)
  expect(result.match(/^hook/gm)).toHaveLength(1000)
  expect(result.match(/^error.*/gm)).toEqual(['error code index.js: only the first 1000 registrations count'])
})

test('settings are checked before anything runs', async () => {
  const manifest = {
    ...kit('a'),
    configSchema: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
  }
  const files = {
    'openclaw.plugin.json': manifest,
    'index.js': `console.log('it ran')\nexport default { id: 'kit', register(api) { api.config.key.at(0) } }`,
  }
  expect(await probed(files)).toMatchInlineSnapshot(`
    "not loaded
    error config openclaw.plugin.json: plugins.entries.kit: config.key is missing"
  `)
  expect(await probed(files, { config: { key: 1 } })).toMatchInlineSnapshot(`
    "not loaded
    error config openclaw.plugin.json: plugins.entries.kit: config.key must be string"
  `)
  expect(await probed(files, { config: ['key'] })).toMatchInlineSnapshot(`
    "not loaded
    error config openclaw.plugin.json: plugins.entries.kit.config is no object"
  `)
  expect(await probed(files, { config: { key: 'k' } })).toMatchInlineSnapshot(`
    "loaded
    warning tool index.js [a]: tool a is declared in contracts.tools but not registered
    > it ran"
  `)
  const broken = { ...files, 'openclaw.plugin.json': { ...manifest, configSchema: { type: 'objekt' } } }
  expect(await probed(broken)).toMatchInlineSnapshot(`
    "not loaded
    error config openclaw.plugin.json: configSchema cannot be used: it does not compile: type must be a JSON type or a list of them (at /type)"
  `)
})

test('the code may call itself otherwise; the manifest counts', async () => {
  expect(
    await probed({
      'openclaw.plugin.json': kit(),
      'index.js': 'export default { id: "other", register() {} }',
    }),
  ).toMatchInlineSnapshot(`
    "loaded
    warning code index.js: the code gives the id other; the manifest says kit, and that counts"
  `)
})

test('what a plugin prints is kept apart, bounded and harmless', async () => {
  const printing = registering(`
process.stdout.write('{"fake":"json"}\\n')
console.error('\\u001b[31mred\\u202e')`)
  expect((await probed(printing)).split('\n').toSorted()).toEqual(['> red', '> {"fake":"json"}', 'loaded'])
  const flooding = registering("for (let n = 0; n < 500; n++) console.log('x'.repeat(1000))")
  const [, ...output] = (await probed(flooding)).split('\n')
  expect(output).toEqual(Array(50).fill(`> ${'x'.repeat(499)}…`))
})

test('a plugin cannot speak for the thread that runs it', async () => {
  const code = `
import { parentPort } from 'node:worker_threads'
parentPort.postMessage('hello')
parentPort.postMessage(null)
parentPort.postMessage({ result: 7 })
export default { id: 'kit', register() {} }
`
  expect(await probed({ 'openclaw.plugin.json': kit(), 'index.js': code })).toBe('loaded')
})

test('it can be given up', async () => {
  const plugin = await pluginOf({ 'openclaw.plugin.json': kit(), 'index.js': 'for (;;) {}' })
  const controller = new AbortController()
  const probe = probePlugin(plugin, { config: {}, context, signal: controller.signal })
  const reason = new Error('enough')
  controller.abort(reason)
  await expect(probe).rejects.toBe(reason)
  await expect(probePlugin(plugin, { config: {}, context, signal: controller.signal })).rejects.toBe(reason)
})
