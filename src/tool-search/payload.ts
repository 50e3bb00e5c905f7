import { isControlName } from '../catalog/controls.ts'
import type { JsonSchema, Tool } from '../catalog/types.ts'
import type { View } from '../policy/view.ts'
import { controlSchemas } from './control-schemas.ts'
import { directoryLimits, directoryText } from './directory.ts'
import { hydrate } from './hydration.ts'

/** One tool as a model receives it. */
export interface RequestTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** What a request says about tools. */
export interface ToolPayload {
  /** Sorted by name, so that the same catalogue gives the same bytes whatever the order of discovery. */
  readonly tools: readonly RequestTool[]
  /** Section of the system prompt, or empty. */
  readonly prompt: string
  /** Visible tools that the model reaches only through the controls, by name. */
  readonly deferred: readonly Tool[]
  /** Deferred tools whose schema was added on a guess (directory mode of edition 2026.7). */
  readonly hydrated: readonly string[]
  /** UTF-8 bytes of the tools as JSON and of the prompt section. */
  readonly bytes: { readonly tools: number; readonly prompt: number }
}

export interface PayloadOptions {
  /** What the user wrote; only the guess of directory mode reads it. */
  readonly userText?: string
  /** Names that must have their schema in the request, such as `message` where it is the only way to answer. */
  readonly required?: readonly string[]
  /** Context window of the model in tokens; sizes the directory in edition 2026.9. */
  readonly contextTokens?: number
}

const noParameters: JsonSchema = { type: 'object', properties: {} }

function requestTool(tool: Tool): RequestTool {
  const control =
    tool.source === 'core' && isControlName(tool.name)
      ? controlSchemas[tool.name as keyof typeof controlSchemas]
      : null
  return {
    name: tool.name,
    description: control?.description ?? tool.description,
    parameters: control?.parameters ?? tool.parameters ?? noParameters,
  }
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0

/** UTF-8 bytes of tools as they go into a request. */
export function payloadBytes(tools: readonly RequestTool[]): number {
  return Buffer.byteLength(JSON.stringify(tools))
}

function directoryPrompt(view: View, deferred: readonly Tool[], options: PayloadOptions): string {
  const newer = view.edition.id === '2026.9'
  if (view.toolSearch.mode === null || (!newer && view.toolSearch.mode !== 'directory')) return ''
  const trusted = deferred.filter((tool) => tool.source !== 'mcp' && tool.source !== 'client')
  const tenth = Math.floor((options.contextTokens ?? Number.POSITIVE_INFINITY) / 10)
  const text = directoryText(trusted, {
    maxChars: newer
      ? Math.min(directoryLimits.maxChars, Math.max(directoryLimits.minChars, tenth))
      : directoryLimits.maxChars,
    shrink: newer,
    unlisted: deferred.length - trusted.length,
  })
  return `### Deferred Tool Schemas\n${text}`
}

/** Builds what the model is told about tools from a judged session: direct schemas, controls, directory; a hidden tool is in none of them. Pure. */
export function buildPayload(view: View, options: PayloadOptions = {}): ToolPayload {
  const direct: Tool[] = []
  const deferred: Tool[] = []
  for (const { tool } of view.decisions) {
    const exposure = view.exposure(tool)
    if (exposure === 'deferred') deferred.push(tool)
    else if (exposure !== null) direct.push(tool)
  }
  deferred.sort(byName)
  const guessing = view.toolSearch.mode === 'directory' && view.edition.id === '2026.7'
  const hydrated = guessing ? hydrate(deferred, options.userText ?? '', options.required ?? []) : []
  const added = new Set(hydrated)
  const tools = [...direct, ...deferred.filter((tool) => added.has(tool.name))]
    .map(requestTool)
    .toSorted(byName)
  const prompt = deferred.length > 0 ? directoryPrompt(view, deferred, options) : ''
  return {
    tools,
    prompt,
    deferred,
    hydrated,
    bytes: { tools: payloadBytes(tools), prompt: Buffer.byteLength(prompt) },
  }
}

/** Bytes the same session would cost with every visible tool direct and no controls. */
export function directBytes(view: View): number {
  const tools = view.decisions
    .map(({ tool }) => tool)
    .filter((tool) => {
      const exposure = view.exposure(tool)
      return exposure === 'direct' || exposure === 'deferred'
    })
  return payloadBytes(tools.map(requestTool).toSorted(byName))
}
