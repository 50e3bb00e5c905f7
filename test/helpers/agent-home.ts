import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Config } from '../../src/config/types.ts'
import { startMockServer, type MockOptions, type MockServer } from '../../src/qa/mock-openai/server.ts'
import { projectRoot } from './project.ts'
import { isolatedEnv, tempDir, type CliResult } from './run-cli.ts'

/** A plugin with a tool that adds, one that fails, one that chatters on stdout, one that writes a file, and one that never ends before it is told to. */
const plugin = `
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const object = (properties) => ({ type: 'object', properties, additionalProperties: false })
const number = { type: 'number' }
const tools = [
  { name: 'lab_add', description: 'Adds two numbers.', parameters: { ...object({ a: number, b: number }), required: ['a', 'b'] },
    execute: async (_id, { a, b }) => text(String(a + b)) },
  { name: 'lab_fail', description: 'Fails.', parameters: object({}),
    execute: async () => { throw new Error('the disk is full') } },
  { name: 'lab_chatter', description: 'Prints.', parameters: object({}),
    execute: async () => { console.log('not for you'); return text('printed') } },
  { name: 'lab_save', description: 'Writes a file.', parameters: object({ file: { type: 'string' }, text: { type: 'string' } }),
    execute: async (_id, { file, text: content }) => {
      const { writeFileSync } = await import('node:fs')
      writeFileSync(file, content)
      return text('saved')
    } },
  { name: 'lab_hold', description: 'Waits.', parameters: object({ file: { type: 'string' } }),
    execute: async (_id, { file }, signal) => {
      const { writeFileSync } = await import('node:fs')
      writeFileSync(file, String(process.pid))
      const timer = setInterval(() => {}, 1000)
      await new Promise((_, reject) => signal.addEventListener('abort', () => { clearInterval(timer); reject(signal.reason) }))
    } },
]
export default { id: 'lab', name: 'Lab', register(api) {
  for (const tool of tools) api.registerTool(tool)
  const { ask, block } = api.config ?? {}
  if (block) api.on('before_tool_call', ({ toolName }) => toolName === block ? { block: true, blockReason: 'not on a Sunday' } : undefined)
  if (ask) api.on('before_tool_call', ({ toolName }) => toolName === ask ? { requireApproval: { title: 'Use ' + toolName } } : undefined)
} }
`

const manifest = {
  id: 'lab',
  configSchema: { type: 'object' },
  contracts: { tools: ['lab_add', 'lab_fail', 'lab_chatter', 'lab_save', 'lab_hold'] },
}

export interface AgentHome {
  readonly home: string
  readonly server: MockServer
}

/** A home with the plugin above, only its tools allowed, and a model of a mock provider that ends with the test. */
export async function agentHome(config: Config = {}, options: MockOptions = {}): Promise<AgentHome> {
  const server = await startMockServer(options)
  onTestFinished(() => server.close())
  const mock = { baseUrl: server.baseUrl, apiKey: '${MOCK_KEY}', api: 'openai-responses' }
  const all: Config = {
    tools: { allow: ['lab'] },
    agents: { defaults: { model: { primary: 'mock/mock-model' } } },
    ...config,
    models: { providers: { mock, spare: mock, ...config.models?.providers } },
  }
  const home = await tempDir({
    '.openclaw/openclaw.json': JSON.stringify(all, null, 2),
    '.openclaw/plugins/lab/openclaw.plugin.json': JSON.stringify(manifest),
    '.openclaw/plugins/lab/package.json': JSON.stringify({
      name: 'lab',
      type: 'module',
      openclaw: { extensions: ['./index.js'] },
    }),
    '.openclaw/plugins/lab/index.js': plugin,
  })
  return { home, server }
}

/** A run of the built program that goes on, for tests that end it or look at it meanwhile. */
export interface RunningCli {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Promise<CliResult>
  /** Resolves when stdout and stderr together match. */
  shows(pattern: RegExp): Promise<void>
}

export const mockKey = 'key-3f9a27c1d5'

/** Starts `openclaw …` in a home of `agentHome`. */
export function startCli(args: readonly string[], home: string, stdin = ''): RunningCli {
  const child = spawn(process.execPath, [`${projectRoot}bin/run.js`, ...args], {
    cwd: home,
    env: { ...isolatedEnv(home), MOCK_KEY: mockKey },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  let out = ''
  let err = ''
  const changed = new Set<() => void>()
  const tell = () => {
    for (const each of changed) each()
  }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
    tell()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
    tell()
  })
  const ended = once(child, 'close').then(([code]) => {
    tell()
    return { code: typeof code === 'number' ? code : null, stdout: out, stderr: err }
  })
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    ended,
    shows: async (pattern) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = () => {
        if (pattern.test(out + err)) resolve()
        else if (child.exitCode !== null || child.signalCode !== null)
          reject(new Error(`it ended: ${out}${err}`))
      }
      changed.add(look)
      look()
      await promise
      changed.delete(look)
    },
  }
}

/** Runs `openclaw agent …` in a home of `agentHome` and waits for its end. */
export function runAgentCli(home: string, args: readonly string[], stdin = ''): Promise<CliResult> {
  return startCli(['agent', ...args], home, stdin).ended
}

/** The lines of the only transcript of a home, parsed. */
export async function transcriptOf(home: string): Promise<readonly Record<string, unknown>[]> {
  const dir = join(home, '.openclaw/agents/main/sessions')
  const files = (await readdir(dir)).filter((name) => name.endsWith('.jsonl'))
  if (files.length !== 1) throw new Error(`expected one transcript, found ${files.join(', ')}`)
  const text = await readFile(join(dir, files[0] ?? ''), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** A transcript in one line an entry: who said what. */
export function shown(entries: readonly Record<string, unknown>[]): string[] {
  return entries.map(({ type, message, customType }) => {
    if (type !== 'message') return String(customType ?? type)
    const { role, content, stopReason, isError } = message as {
      role: string
      content: readonly { type: string; text?: string; name?: string; arguments?: unknown }[]
      stopReason?: string
      isError?: boolean
    }
    const said = content.map((part) =>
      part.type === 'toolCall'
        ? `→ ${part.name} ${JSON.stringify(part.arguments)}`
        : (part.text ?? part.type),
    )
    const state = isError
      ? ' error'
      : stopReason && !['stop', 'toolUse'].includes(stopReason)
        ? ` ${stopReason}`
        : ''
    return `${role}${state}: ${said.join(' ')}`
  })
}
