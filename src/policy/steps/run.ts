import type { Tool } from '../../catalog/types.ts'
import { modelIds } from '../layers/model.ts'
import type { PolicyInput, StepId } from '../types.ts'
import { defectOf, gate, skipped, stepOf, type Objection, type Step } from './step.ts'

/** Tools switched off for the whole run (policy facts §4, 0). */
export function runToolsStep(input: PolicyInput): Step {
  const off = input.context.disableTools ? gate('disableTools', 'tools are switched off for this run') : null
  return stepOf('run.tools', 'tools are on for this run', () => off)
}

/** The configured model that says it cannot call tools, as a path into `models.providers`. */
function modelRefusesTools(input: PolicyInput): Objection | null {
  const { provider, model, supports } = input.context
  if (!supports.tools) return gate('model without tools', 'the model cannot call tools')
  if (provider === null || model === null) return null
  const providers = input.config.models?.providers ?? {}
  const id = Object.keys(providers).find((key) => key.trim().toLowerCase() === provider.trim().toLowerCase())
  if (id === undefined) return null
  const ids = modelIds(provider, model)
  const index = (providers[id]?.models ?? []).findIndex((each) => ids.includes(each.id.trim().toLowerCase()))
  if (index < 0 || providers[id]?.models?.[index]?.compat?.supportsTools !== false) return null
  return gate('model without tools', `the model ${id}/${model} is configured as unable to call tools`, [
    'models',
    'providers',
    id,
    'models',
    index,
    'compat',
    'supportsTools',
  ])
}

export function modelToolsStep(input: PolicyInput): Step {
  const off = modelRefusesTools(input)
  return stepOf('model.tools', 'the model can call tools', () => off)
}

const defectPass: Readonly<Record<'mcp' | 'schema' | 'tool-search', string>> = {
  mcp: 'its server offers it',
  schema: 'its schema can be sent to a model',
  'tool-search': 'Tool Search does not remove it',
}

/** Steps whose verdict was found while the inventory was built. */
export function defectStep(id: StepId & ('schema' | 'tool-search')): Step {
  return stepOf(id, defectPass[id], (tool) => defectOf(tool, id))
}

/** What a session's own settings switch off of a server, by the server's own names for its tools. */
export function deniedInSession(
  { mcpToolsDeny }: Pick<PolicyInput['context'], 'mcpToolsDeny'>,
  { mcpServer, mcpToolName }: Pick<Tool, 'mcpServer' | 'mcpToolName'>,
): boolean {
  if (mcpToolsDeny === undefined || mcpServer === undefined || mcpToolName === undefined) return false
  const denied = Object.hasOwn(mcpToolsDeny, mcpServer) ? mcpToolsDeny[mcpServer] : undefined
  return denied?.includes(mcpToolName) ?? false
}

/** Whether the server offers a tool now, and the session takes it. */
export function mcpStep({ context }: PolicyInput): Step {
  const notMcp = skipped('mcp', 'not an MCP tool')
  const step = stepOf('mcp', defectPass.mcp, (tool) => {
    const defect = defectOf(tool, 'mcp')
    if (defect !== null || !deniedInSession(context, tool)) return defect
    return gate('toolOverrides.mcpToolsDeny', 'it is switched off for this session only')
  })
  return {
    id: 'mcp',
    check: (tool, key) => (tool.source === 'mcp' ? step.check(tool, key) : notMcp),
  }
}
