import type { EditionId } from '../catalog/edition.ts'
import type { Tool } from '../catalog/types.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { SchemaText, type TextLimits } from './schema-text.ts'

/** What a signature says where nothing may or can be told. */
export const unknownInput = 'unknown'

interface HintLimits {
  readonly input: TextLimits
  readonly output: TextLimits
}

const input = { chars: 300, properties: 16, depth: 4 } as const
const depth = 6

/** Bounds of the signatures by edition (tool search facts §1.7). */
const limits: Readonly<Record<EditionId, HintLimits>> = {
  '2026.7': {
    input: { ...input, members: 4, constraints: false },
    output: { chars: 850, properties: 20, depth, members: 4, constraints: false },
  },
  '2026.9': {
    input: { ...input, members: 5, constraints: true },
    output: { chars: 800, properties: 22, depth, members: 5, constraints: true },
  },
}

type Signed = Pick<Tool, 'source' | 'parameters' | 'outputSchema'>

/** Schemas of MCP servers and clients come from strangers: no property of them is ever read for a hint. */
function isTrusted({ source }: Signed): boolean {
  return source !== 'mcp' && source !== 'client'
}

/**
 * The input of a tool as a TypeScript-like type of at most 300 characters, incomplete where its schema says more than that can;
 * `unknown` for a longer one, for tools without a schema, and for every tool of an MCP server or client (tool search facts §1.7).
 */
export function inputHint(tool: Signed, edition: EditionId): string {
  if (!isTrusted(tool) || tool.parameters === undefined) return unknownInput
  const { text } = new SchemaText(limits[edition].input).write(tool.parameters)
  const shown = showName(text, text.length * 12)
  return shown.length > limits[edition].input.chars ? unknownInput : shown
}

/** The `details` of a trusted tool's result in the same notation; undefined unless the type is complete and short enough, because half a type misleads. */
export function outputHint(tool: Signed, edition: EditionId): string | undefined {
  if (!isTrusted(tool) || tool.outputSchema === undefined) return undefined
  const { text, complete } = new SchemaText(limits[edition].output).write(tool.outputSchema)
  const shown = showName(text, text.length * 12)
  return complete && shown.length <= limits[edition].output.chars ? shown : undefined
}
