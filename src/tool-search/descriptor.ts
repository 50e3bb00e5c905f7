import type { EditionId } from '../catalog/edition.ts'
import type { JsonSchema } from '../catalog/types.ts'
import { cleanText, showName } from '../kernel/untrusted-text.ts'
import { hasTitle, type CatalogueEntry } from './catalogue.ts'
import { inputHint, outputHint } from './hints.ts'

/** Longest description of a hit in characters; `describe` shows all of it. */
const longestDescription = 1_024

/** A tool in short, as a search returns it (contract §5). */
export interface Descriptor {
  readonly id: string
  readonly source: CatalogueEntry['source']
  readonly sourceName: string
  readonly name: string
  readonly label?: string
  readonly mcp?: { readonly serverName: string; readonly toolName: string }
  readonly description: string
  /** A TypeScript-like type, `unknown` for tools of MCP servers and clients. */
  readonly input: string
  /** Type of the result's `details`, where it is known for certain. */
  readonly output?: string
}

/** A tool in full (contract §5). */
export interface Description extends Descriptor {
  readonly label: string
  readonly parameters: JsonSchema
  readonly outputSchema?: JsonSchema
}

/** A tool in short. */
export function describeBriefly(entry: CatalogueEntry, edition: EditionId): Descriptor {
  const { id, source, sourceName, name, mcp, tool } = entry
  const output = outputHint(tool, edition)
  return {
    id,
    source,
    sourceName,
    name,
    ...(hasTitle(entry) && { label: tool.label }),
    ...(mcp && { mcp: { ...mcp, serverName: showName(mcp.serverName) } }),
    description: cleanText(tool.description, longestDescription),
    input: inputHint(tool, edition),
    ...(output !== undefined && { output }),
  }
}

/** A tool in full: its input schema as it is, also that of a stranger, and the output schema of a trusted one. */
export function describeFully(entry: CatalogueEntry, edition: EditionId): Description {
  const { source, tool } = entry
  return {
    ...describeBriefly(entry, edition),
    label: tool.label,
    description: tool.description,
    parameters: tool.parameters ?? {},
    ...(source === 'openclaw' && tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
  }
}
