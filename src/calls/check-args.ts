import { isRecord } from '../catalog/source.ts'
import type { Tool } from '../catalog/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { jsonCopy } from '../kernel/stable-json.ts'
import { compileSchema, meantProperties } from './schema.ts'
import { deepFreeze } from './snapshot.ts'
import type { Args } from './types.ts'

/** Whether a tool's schemas come from this program or an installed plugin rather than from a stranger. */
export function isTrusted(tool: Tool): boolean {
  return tool.source === 'core' || tool.source === 'plugin' || tool.source === 'channel'
}

/** Arguments as a frozen copy that nobody can change any more; none at all are `{}`. Error: INPUT_INVALID for anything but an object. */
export function takeArgs(given: unknown, id: string): Args {
  const args = jsonCopy(given) ?? {}
  if (args === null) return Object.freeze({})
  if (isRecord(args)) return deepFreeze(args)
  const kind = Array.isArray(args) ? 'a list' : `a ${typeof args}`
  throw new OpenClawError(
    'INPUT_INVALID',
    `Invalid arguments for tool "${id}": expected an object, got ${kind}`,
    {
      data: { tool: id },
    },
  )
}

/**
 * Checks arguments against the input schema of a trusted tool; what an MCP server or a client declares is left to whoever declared it.
 * `expected` gives a short type to show, `changedBy` who made the arguments what they are, if not the caller. Errors: INPUT_INVALID with what is wrong and what was meant, TOOL_UNAVAILABLE for a schema that is none.
 */
export async function checkArgs(
  tool: Tool,
  args: Args,
  id: string,
  expected: () => string | undefined = () => undefined,
  changedBy = '',
): Promise<void> {
  if (!isTrusted(tool) || tool.parameters === undefined) return
  const schema = await compileSchema(tool.parameters)
  if ('problem' in schema) {
    throw new OpenClawError(
      'TOOL_UNAVAILABLE',
      `tool "${id}" cannot be called: its input schema cannot be used (${schema.problem})`,
      { data: { tool: id } },
    )
  }
  const verdict = schema.check(args)
  if (verdict.ok) return
  const meant = meantProperties(tool.parameters, args)
  const type = expected()
  const parts = [
    `Invalid arguments for tool "${id}"${changedBy && ` as ${changedBy}`}: ${verdict.problems.join('; ')}.`,
    ...(meant.length > 0 ? [`Did you mean ${meant.join(', ')}?`] : []),
    ...(type === undefined || type === 'unknown' ? [] : [`Expected input: ${type}`]),
  ]
  throw new OpenClawError('INPUT_INVALID', parts.join(' '), {
    hints: [`openclaw tools describe ${id}`],
    data: { tool: id, problems: verdict.problems, suggestions: meant },
  })
}

/** Checks what a trusted tool returned in `details` against its output schema. */
export type OutputCheck = (details: unknown) => OpenClawError | null

/** Compiles the output schema of a trusted tool before it runs, so that a tool whose promise is void never does. Error: OUTPUT_INVALID. */
export async function outputCheck(tool: Tool, id: string): Promise<OutputCheck | null> {
  if (!isTrusted(tool) || tool.outputSchema === undefined) return null
  const schema = await compileSchema(tool.outputSchema)
  if ('problem' in schema) {
    throw new OpenClawError(
      'OUTPUT_INVALID',
      `Tool "${id}" has an invalid outputSchema: ${schema.problem}.`,
      {
        data: { tool: id },
      },
    )
  }
  return (details) => {
    const verdict = schema.check(details)
    if (verdict.ok) return null
    return new OpenClawError(
      'OUTPUT_INVALID',
      `Tool "${id}" returned details that do not match its declared outputSchema: ${verdict.problems.join('; ')}. The tool has run; look at what it did before you call it again.`,
      { data: { tool: id, problems: verdict.problems } },
    )
  }
}
