import { isRecord } from '../catalog/source.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { Tool, ToolContext } from './authoring.ts'
import { causeOf, placeOf } from './code-error.ts'
import { diagnostic, type PluginDiagnostic } from './diagnostic.ts'
import { withinLimit } from './limit.ts'
import { loadLimitMs, type LoadedPlugin } from './run-plugin.ts'
import type { ToolRegistration } from './registrations.ts'

/** A tool of a plugin as it was made for one session. */
export interface SessionTool {
  readonly tool: Tool
  /** By its own word or by that of its registration. */
  readonly optional: boolean
}

export interface SessionTools {
  /** Well-formed, declared in the manifest, each name once. */
  readonly tools: readonly SessionTool[]
  readonly diagnostics: readonly PluginDiagnostic[]
}

/** The form in which two names are the same tool of a plugin. */
const keyOf = (name: string): string => name.trim().toLowerCase()

/** Makes the tools of a loaded plugin for a session; factories get the context. Undeclared, malformed and repeated tools and those of failing factories are left out and told (tool search facts §5.2). */
export async function sessionTools(
  loaded: LoadedPlugin,
  context: ToolContext,
  limitMs: number = loadLimitMs,
): Promise<SessionTools> {
  const collector = new Collector(loaded)
  // A factory of tools that nobody may have is not asked for them.
  const isUseless = ({ names }: ToolRegistration): boolean =>
    names.length > 0 && !names.some((name) => collector.declares(name))
  // All at once, so that one limit holds for them together.
  const made = await Promise.all(
    loaded.tools.map(async (registration) => ({
      registration,
      given: isUseless(registration) ? [] : await collector.make(registration, context, limitMs),
    })),
  )
  for (const { registration, given } of made) {
    if (isUseless(registration)) for (const name of registration.names) collector.refuse(name)
    for (const each of given) collector.take(each, registration.optional)
  }
  collector.tellMissing()
  return { tools: [...collector.tools.values()], diagnostics: collector.diagnostics }
}

class Collector {
  readonly tools = new Map<string, SessionTool>()
  readonly diagnostics: PluginDiagnostic[] = []
  readonly #loaded: LoadedPlugin
  readonly #declared: ReadonlyMap<string, string>
  /** Declared names of which it was said why no tool has them. */
  readonly #told = new Set<string>()

  constructor(loaded: LoadedPlugin) {
    this.#loaded = loaded
    const names = loaded.plugin.manifest?.tools ?? []
    this.#declared = new Map(names.map((name) => [keyOf(name), name]))
  }

  declares(name: string): boolean {
    return this.#declared.has(keyOf(name))
  }

  refuse(name: string): void {
    const why =
      this.#declared.size === 0
        ? 'its manifest has no contracts.tools'
        : 'contracts.tools of its manifest does not declare it'
    this.#tell('error', `tool ${showName(name)} is registered but not exposed: ${why}`, name)
  }

  /** What a registration yields in a session: the tool itself, or what its factory makes. */
  async make(
    { made, names }: ToolRegistration,
    context: ToolContext,
    limitMs: number,
  ): Promise<readonly unknown[]> {
    if (typeof made !== 'function') return [made]
    const who =
      names.length === 0
        ? 'a tool factory'
        : `the factory of ${names.map((name) => showName(name)).join(', ')}`
    try {
      const given: unknown = await withinLimit(() => made(context), limitMs, 'it')
      const all: readonly unknown[] = Array.isArray(given) ? given : [given]
      const some = all.filter((each) => each !== null && each !== undefined)
      if (some.length === 0) for (const name of names) this.#none(name)
      return some
    } catch (error) {
      for (const name of names) this.#told.add(keyOf(name))
      this.#tell('error', `${who} failed: ${causeOf(error)}`, names[0], error)
      return []
    }
  }

  take(given: unknown, isOptional: boolean): void {
    const name = isRecord(given) && typeof given['name'] === 'string' ? given['name'].trim() : ''
    const problem = malformation(given)
    if (problem !== null || !isTool(given)) {
      this.#tell(
        'error',
        `${name === '' ? 'a tool' : `tool ${showName(name)}`} is malformed: ${problem}`,
        name,
      )
    } else if (!this.declares(name)) this.refuse(name)
    else if (this.tools.has(keyOf(name))) {
      this.#tell('warning', `tool ${showName(name)} is registered twice; the first one counts`, name)
    } else this.tools.set(keyOf(name), { tool: given, optional: isOptional || given.optional === true })
  }

  tellMissing(): void {
    for (const [key, name] of this.#declared) {
      if (this.tools.has(key) || this.#told.has(key)) continue
      this.#tell('warning', `tool ${showName(name)} is declared in contracts.tools but not registered`, name)
    }
  }

  /** A factory may have nothing for a session. */
  #none(name: string): void {
    if (this.declares(name))
      this.#tell('info', `its factory makes no tool ${showName(name)} for this session`, name)
  }

  #tell(
    severity: PluginDiagnostic['severity'],
    message: string,
    tool: string | undefined,
    thrown?: unknown,
  ): void {
    const { plugin } = this.#loaded
    if (tool !== undefined) this.#told.add(keyOf(tool))
    this.diagnostics.push(
      diagnostic({
        kind: 'tool',
        severity,
        message,
        file: plugin.entry ?? plugin.manifestFile,
        location: placeOf(thrown, plugin.folder),
        ...(tool !== undefined && tool !== '' && { tool: showName(tool) }),
      }),
    )
  }
}

/** Why something is no tool, or null. */
function malformation(value: unknown): string | null {
  if (!isRecord(value)) return 'it is no object'
  if (typeof value['name'] !== 'string' || value['name'].trim() === '') return 'it has no name'
  if (typeof value['execute'] !== 'function') return 'execute is no function'
  if (!isRecord(value['parameters'])) return 'parameters is no JSON Schema object'
  return null
}

function isTool(value: unknown): value is Tool {
  return malformation(value) === null
}
