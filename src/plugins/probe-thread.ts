import { isRecord } from '../catalog/source.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { Logger, Tool, ToolContext } from './authoring.ts'
import type { BackendName } from './backends.ts'
import { placeOfSyntaxError } from './code-error.ts'
import { diagnostic, type PluginDiagnostic } from './diagnostic.ts'
import type { InstalledPlugin } from './discover.ts'
import type { HookEvent } from './hooks.ts'
import { runPlugin } from './run-plugin.ts'
import { sessionTools } from './session-tools.ts'

/** A tool as its code declares it, without the code. */
export type ProbedTool = Readonly<Record<string, unknown>> & { readonly name: string }

/** What the code of a plugin registers. */
export interface ProbeResult {
  readonly loaded: boolean
  readonly tools: readonly ProbedTool[]
  readonly hooks: readonly {
    readonly event: HookEvent
    readonly priority: number
    readonly timeoutMs: number
  }[]
  readonly backends: readonly BackendName[]
  readonly diagnostics: readonly PluginDiagnostic[]
}

/** Marks the data and messages of a probe among those of others. */
export const probeKind = 'openclaw-plugin-probe'

/** What a thread is started with. */
export interface Job {
  readonly kind: typeof probeKind
  readonly plugin: InstalledPlugin
  /** As the schema of the plugin wants them. */
  readonly config: Readonly<Record<string, unknown>>
  readonly context: ToolContext
  readonly limitMs: number
}

/** Whether a thread was started with a job of this kind. */
export function isJob(value: unknown): value is Job {
  return isRecord(value) && value['kind'] === probeKind
}

/** What a thread is doing. */
export type Phase = 'import' | 'register' | 'tools'

/** What a thread says: the phase it enters, and at the end the result. */
export type Message = { readonly kind: typeof probeKind } & (
  | { readonly phase: Phase }
  | { readonly result: ProbeResult }
)

/** Loads a plugin inside its thread and says what it registers, as plain data. */
export async function work(
  { plugin, config, context, limitMs }: Job,
  send: (message: Message) => void,
): Promise<void> {
  const enter = (phase: Phase): void => send({ kind: probeKind, phase })
  const end = async (result: ProbeResult): Promise<void> => {
    await Promise.all([process.stdout, process.stderr].map((stream) => flushed(stream)))
    send({ kind: probeKind, result })
  }
  const loaded = await runPlugin(plugin, config, { limitMs, logger, onPhase: enter })
  if (!loaded.loaded) {
    const diagnostics = loaded.diagnostics.map((each) => ({
      ...each,
      location: each.location ?? (each.kind === 'code' ? placeOfSyntaxError(each) : null),
    }))
    return end({ loaded: false, tools: [], hooks: [], backends: [], diagnostics })
  }
  enter('tools')
  const made = await sessionTools(loaded, context, limitMs)
  const diagnostics: PluginDiagnostic[] = [...loaded.diagnostics, ...made.diagnostics]
  const tools = made.tools.flatMap(({ tool, optional }): ProbedTool[] => {
    const plain = withoutCode(tool, optional)
    if (plain === null) {
      const message = `tool ${showName(tool.name)} is malformed: its schemas are no JSON`
      const file = plugin.entry ?? plugin.manifestFile
      diagnostics.push(
        diagnostic({ kind: 'tool', severity: 'error', message, file, tool: showName(tool.name) }),
      )
    }
    return plain === null ? [] : [plain]
  })
  const all = [...loaded.hooks.before_tool_call, ...loaded.hooks.after_tool_call]
  const hooks = all.map(({ event, priority, timeoutMs }) => ({ event, priority, timeoutMs }))
  const backends = loaded.backends.map(({ kind, made: { id } }) => ({ kind, id }))
  return end({ loaded: true, tools, hooks, backends, diagnostics })
}

/** Waits until what was printed has left the thread, which ends with the result. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}

const dataFields = [
  'label',
  'description',
  'parameters',
  'outputSchema',
  'catalogMode',
  'executionMode',
  'risk',
  'tags',
] as const satisfies readonly (keyof Tool)[]

/** What a tool declares, as plain JSON; null where that is impossible. */
export function withoutCode(tool: Tool, optional: boolean): ProbedTool | null {
  try {
    const fields = Object.fromEntries(dataFields.map((key) => [key, tool[key]]))
    const plain: unknown = JSON.parse(JSON.stringify(fields))
    return { name: tool.name, ...(isRecord(plain) ? plain : {}), ...(optional && { optional: true }) }
  } catch {
    return null
  }
}

const print = (level: string) => (message: string) => void process.stderr.write(`${level}: ${message}\n`)
const logger: Logger = {
  debug: print('debug'),
  info: print('info'),
  warn: print('warn'),
  error: print('error'),
}
