import { suggest } from '../kernel/suggest.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { HookHandlers, Logger, PluginApi, Tool, ToolFactory } from './authoring.ts'
import { takeBackend, type Backend, type BackendKind } from './backends.ts'
import { diagnostic, type DiagnosticKind, type PluginDiagnostic } from './diagnostic.ts'
import type { InstalledPlugin } from './discover.ts'
import { hookEvents, hookTimeout, type Hook, type HookEvent, type Hooks } from './hooks.ts'

/** One call of `registerTool`. */
export interface ToolRegistration {
  /** Names that were announced: a tool's own, or those in the options of a factory. */
  readonly names: readonly string[]
  readonly optional: boolean
  /** The tool as it was given, or what makes one. */
  readonly made: Tool | ToolFactory
}

/** The api object of one `register` and what it collected; once closed, it collects nothing more. */
export interface Registrations {
  readonly api: PluginApi
  readonly tools: readonly ToolRegistration[]
  readonly hooks: Hooks
  readonly backends: readonly Backend[]
  readonly diagnostics: readonly PluginDiagnostic[]
  close(): void
}

const mostRegistrations = 1000

type Fields = Readonly<Record<string, unknown>>

/** Opens the api of one plugin; what it is given is a stranger's and told, never thrown, where it is of no use. */
export function openRegistrations(plugin: InstalledPlugin, config: Fields, logger: Logger): Registrations {
  const tools: ToolRegistration[] = []
  const hooks = {
    before_tool_call: [] as Hook<'before_tool_call'>[],
    after_tool_call: [] as Hook<'after_tool_call'>[],
  }
  const backends: Backend[] = []
  const diagnostics: PluginDiagnostic[] = []
  let isOpen = true
  let calls = 0

  const tell = (severity: PluginDiagnostic['severity'], kind: DiagnosticKind, message: string): void => {
    diagnostics.push(diagnostic({ kind, severity, message, file: plugin.entry ?? plugin.manifestFile }))
  }
  /** Whether one more registration counts. */
  const accepts = (): boolean => {
    if (!isOpen) return false
    calls++
    if (calls === mostRegistrations + 1)
      tell('error', 'code', `only the first ${mostRegistrations} registrations count`)
    return calls <= mostRegistrations
  }

  const registerTool = (made: unknown, options?: unknown): void => {
    if (!accepts()) return
    if (!isMade(made)) {
      tell('error', 'tool', 'registerTool got neither a tool nor a function that makes one')
      return
    }
    const { name, names, optional } = fieldsOf(options)
    const own = typeof made === 'function' ? undefined : made.name
    const announced = [own, name, ...(Array.isArray(names) ? names : [])]
    tools.push({
      names: [...new Set(announced.filter((each) => typeof each === 'string'))],
      optional: optional === true,
      made,
    })
  }

  const on = (event: unknown, handler: unknown, options?: unknown): void => {
    if (!accepts()) return
    const name = showName(String(event))
    const common = { pluginId: plugin.id, ...hookSettings(name, fieldsOf(options), tell) }
    if (event === 'before_tool_call' && isHandler(handler, event)) {
      hooks.before_tool_call.push({ event, handler, ...common })
    } else if (event === 'after_tool_call' && isHandler(handler, event)) {
      hooks.after_tool_call.push({ event, handler, ...common })
    } else if (hookEvents.some((known) => known === event)) {
      tell('error', 'hook', `the handler of ${name} is no function`)
    } else {
      const [near] = suggest(name, hookEvents, 1)
      tell(
        'warning',
        'hook',
        `there is no hook ${name}${near === undefined ? '' : `; did you mean ${near}?`}`,
      )
    }
  }

  const registerBackend = (kind: BackendKind, method: string) => (given: unknown) => {
    if (!accepts()) return
    const taken = takeBackend(kind, given)
    if ('problem' in taken)
      tell('error', 'backend', `${method} got something it cannot use: ${taken.problem}`)
    else if (backends.some((each) => each.kind === kind && each.made.id === taken.made.id))
      tell('error', 'backend', `${method}: ${taken.made.id} is registered already`)
    else backends.push(taken)
  }

  const known = {
    id: plugin.id,
    name: plugin.manifest?.name ?? plugin.id,
    config,
    logger,
    registerTool,
    registerChannel: registerBackend('channel', 'registerChannel'),
    registerProvider: registerBackend('provider', 'registerProvider'),
    registerWebSearch: registerBackend('webSearch', 'registerWebSearch'),
    registerMedia: registerBackend('media', 'registerMedia'),
    on,
  }
  const api = new Proxy(known, {
    get: (target, key, receiver): unknown => {
      if (typeof key !== 'string' || key in target || !/^register[A-Z]/.test(key))
        return Reflect.get(target, key, receiver)
      // Plugins may register more than tools with other hosts; their tools are of use all the same.
      return () => {
        if (accepts())
          tell('info', 'code', `api.${showName(key)} is not supported; what it registers is left out`)
      }
    },
  })
  return { api, tools, hooks, backends, diagnostics, close: () => (isOpen = false) }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function isMade(value: unknown): value is Tool | ToolFactory {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && !Array.isArray(value))
}

function isHandler<Event extends HookEvent>(value: unknown, _event: Event): value is HookHandlers[Event] {
  return typeof value === 'function'
}

/** Priority and time limit of a hook; unusable ones become the default and are told. */
function hookSettings(
  name: string,
  { priority, timeoutMs }: Fields,
  tell: (severity: 'warning', kind: 'hook', message: string) => void,
): { readonly priority: number; readonly timeoutMs: number } {
  const isPriority = typeof priority === 'number' && Number.isFinite(priority)
  const isTimeout = typeof timeoutMs === 'number' && timeoutMs > 0
  if (priority !== undefined && !isPriority)
    tell('warning', 'hook', `${name}: priority is no number; it is 0`)
  if (timeoutMs !== undefined && !isTimeout)
    tell('warning', 'hook', `${name}: timeoutMs is no positive number; it is ${hookTimeout.usual}`)
  return {
    priority: isPriority ? priority : 0,
    timeoutMs: isTimeout ? Math.min(timeoutMs, hookTimeout.longest) : hookTimeout.usual,
  }
}
