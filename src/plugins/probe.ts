import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { isRecord } from '../catalog/source.ts'
import { cleanText } from '../kernel/untrusted-text.ts'
import type { ToolContext } from './authoring.ts'
import { causeOf } from './code-error.ts'
import { diagnostic } from './diagnostic.ts'
import type { InstalledPlugin } from './discover.ts'
import { runnableSettings } from './load.ts'
import { probeKind, type Job, type Message, type Phase, type ProbeResult } from './probe-thread.ts'
import { loadLimitMs, notLoaded } from './run-plugin.ts'

/** What the code of a plugin registers, and what it printed. */
export interface PluginProbe extends ProbeResult {
  /** At most 50 lines. */
  readonly output: readonly string[]
}

export interface ProbeOptions {
  /** `plugins.entries.<id>.config`. */
  readonly config: unknown
  readonly context: ToolContext
  readonly limitMs?: number
  readonly signal?: AbortSignal
}

const memoryMb = 1024
const mostOutput = 64 * 1024
const mostLines = 50

/** The program of the thread: a single file beside this program, which starts in a third of the time, or its source where the sources run. */
function threadFile(): string {
  const self = fileURLToPath(import.meta.url)
  if (self.endsWith('.ts')) return join(dirname(self), 'probe-entry.ts')
  return join(dirname(findPackageJSON(import.meta.url) ?? self), 'plugin-probe.js')
}

/**
 * Runs the code of a plugin in a thread of its own and says what it registers for a session. Whatever the code does (never ends,
 * exits, throws later, prints, eats memory) costs only the thread; never throws except for the signal's reason.
 */
export async function probePlugin(plugin: InstalledPlugin, options: ProbeOptions): Promise<PluginProbe> {
  const { context, signal, limitMs = loadLimitMs } = options
  signal?.throwIfAborted()
  const settings = await runnableSettings(plugin, options.config)
  if ('faults' in settings) {
    const { diagnostics } = notLoaded(
      plugin,
      settings.faults.map(({ finding }) => finding),
    )
    return { loaded: false, tools: [], hooks: [], backends: [], diagnostics, output: [] }
  }
  const { config } = settings
  signal?.throwIfAborted()
  const job: Job = { kind: probeKind, plugin, config, context, limitMs }
  const worker = new Worker(threadFile(), {
    workerData: job,
    stdout: true,
    stderr: true,
    // The parser that finds the line of a syntax error is experimental; its warning is not the plugin's.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const output = new Output()
  worker.stdout.on('data', (chunk: Buffer) => output.add(chunk))
  worker.stderr.on('data', (chunk: Buffer) => output.add(chunk))

  let phase: Phase | 'start' = 'start'
  const { promise, resolve, reject } = Promise.withResolvers<ProbeResult>()
  const fail = (message: string): void => resolve(failed(plugin, `${message} ${during[phase]}`))
  const onAbort = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  // Every phase has its own limit inside the thread; the watchdog is for code that never lets that limit be noticed.
  const watchdog = (ms: number): NodeJS.Timeout =>
    setTimeout(() => fail(`it blocks its thread for more than ${limitMs} ms`), ms)
  let timer = watchdog(startMs + limitMs)
  worker.on('message', (message: unknown) => {
    // A plugin can write to the port of its thread, too.
    if (!isMessage(message)) return
    clearTimeout(timer)
    if ('result' in message) resolve(message.result)
    else {
      phase = message.phase
      timer = watchdog(limitMs + Math.min(limitMs, graceMs))
    }
  })
  // An error may overtake the message that says what the thread was doing; the exit does not.
  let cause: string | null = null
  worker.on('error', (error: unknown) => {
    cause ??= `it failed (${causeOf(error)})`
  })
  worker.once('exit', (code) => fail(cause ?? `it ended its process with exit code ${code}`))
  try {
    return { ...(await promise), output: output.lines() }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

/** Milliseconds that a thread may take to start, and that the limit of a phase may be noticed late. */
const startMs = 20_000
const graceMs = 2000

const during = {
  start: 'before its code was imported',
  import: 'while its code was imported',
  register: 'in register',
  tools: 'in a tool factory',
} as const

function failed(plugin: InstalledPlugin, message: string): ProbeResult {
  const file = plugin.entry ?? plugin.manifestFile
  return {
    loaded: false,
    tools: [],
    hooks: [],
    backends: [],
    diagnostics: [diagnostic({ kind: 'code', severity: 'error', message, file })],
  }
}

/** What a thread prints, bounded. */
class Output {
  #text = ''

  add(chunk: Buffer): void {
    if (this.#text.length < mostOutput) this.#text += chunk.toString()
  }

  lines(): readonly string[] {
    const lines = this.#text.split('\n').map((line) => cleanText(line, 500).trimEnd())
    return lines.filter((line) => line !== '').slice(0, mostLines)
  }
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && value['kind'] === probeKind
}
