import { showName } from '../../kernel/untrusted-text.ts'
import { nameProblem } from '../names.ts'
import { withJsonTypes } from '../foreign-types.ts'
import type { InventoryNotices } from '../notices.ts'
import { checkInputSchema } from '../schema-check.ts'
import { isRecord } from '../source.ts'
import type { JsonSchema, Tool, ToolDefect } from '../types.ts'
import type { Claims } from './claims.ts'
import { wordsOf } from './tool-text.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Who brings a tool, in the words of notices, and at which step a malformed one is unavailable. */
export interface Giver {
  readonly who: string
  readonly step: 'plugin' | 'capability'
  /** Names this giver may not use although no tool has them. */
  readonly refused?: ReadonlySet<string>
}

/** A tool that a plugin, a channel or a client brings, as far as all three are treated alike. */
export interface GivenTool {
  readonly own: Fields
  /** The name as it may be shown; the same as the given one unless that is unusable. */
  readonly name: string
  readonly defects: readonly ToolDefect[]
  readonly parameters?: JsonSchema
}

/** Takes the name of a brought tool and checks its name and input schema; null (and a notice) where it is nameless or the name belongs to something else. */
export function takeTool(
  raw: unknown,
  giver: Giver,
  claims: Claims,
  notices: InventoryNotices,
): GivenTool | null {
  const own: Fields = isRecord(raw) ? raw : { name: raw }
  const given = typeof own['name'] === 'string' ? own['name'].trim() : ''
  if (given === '') {
    notices.warn('invalid-tool', `${giver.who} brings a tool without a name; it is left out`)
    return null
  }
  const name = showName(given)
  const refused = giver.refused?.has(given.toLowerCase()) === true
  const holder = refused ? 'a built-in tool' : claims.take(name, giver.who)
  if (holder !== null) {
    notices.warn('name-conflict', `${giver.who}: the tool "${name}" is left out: ${holder} has that name`)
    return null
  }
  const defects: ToolDefect[] = []
  const badName = nameProblem(given)
  if (badName !== null) defects.push({ step: giver.step, rule: 'invalid-tool', reason: badName })
  const parameters = own['parameters']
  if (parameters === undefined) return { own, name, defects }
  if (!isRecord(parameters)) {
    const reason = 'its parameters are not a JSON Schema object'
    defects.push({ step: giver.step, rule: 'invalid-tool', reason })
    return { own, name, defects }
  }
  const strict = checkInputSchema(parameters)
  const verdict = 'schema' in strict ? strict : checkInputSchema(withJsonTypes(parameters))
  if ('schema' in verdict) return { own, name, defects, parameters: verdict.schema }
  defects.push({ step: 'schema', rule: 'schema-quarantined', reason: verdict.problem })
  return { own, name, defects }
}

const stepOrder: readonly ToolDefect['step'][] = ['capability', 'plugin', 'mcp', 'schema', 'tool-search']

/** The defects of a tool in pipeline order, as a tool carries them. */
export function carried(defects: readonly ToolDefect[]): Pick<Tool, 'defect' | 'otherDefects'> {
  if (defects.length === 0) return {}
  const [defect, ...otherDefects] = defects.toSorted(
    (a, b) => stepOrder.indexOf(a.step) - stepOrder.indexOf(b.step),
  )
  if (defect === undefined) return {}
  return otherDefects.length === 0 ? { defect } : { defect, otherDefects }
}

/** Tells why a brought tool is unavailable, one notice per reason. */
export function tellDefects(
  defects: readonly ToolDefect[],
  who: string,
  name: string,
  notices: InventoryNotices,
): void {
  for (const { step, reason } of defects) {
    const id = step === 'schema' ? 'schema-quarantined' : 'invalid-tool'
    notices.warn(id, `${who}: the tool "${name}" is unavailable: ${reason}`)
  }
}

/** The fields by which a tool says how it wants to be offered and run; what the tool itself says wins over its manifest. */
export function behaviour(own: Fields, meta: Fields): Partial<Tool> {
  const catalogMode = own['catalogMode'] ?? meta['catalogMode']
  const executionMode = own['executionMode'] ?? meta['executionMode']
  const risk = own['risk'] ?? meta['risk']
  const tagList = wordsOf(own['tags'] ?? meta['tags'])
  const profileList = wordsOf(own['profiles'] ?? meta['profiles'])
  return {
    // Registration and manifest can both make a tool optional; neither can take that back.
    ...(own['optional'] === true || meta['optional'] === true ? { optional: true } : {}),
    ...(catalogMode === 'direct-only' ? { catalogMode } : {}),
    ...(executionMode === 'parallel' || executionMode === 'sequential' ? { executionMode } : {}),
    ...(risk === 'low' || risk === 'medium' || risk === 'high' ? { risk } : {}),
    ...(tagList === undefined ? {} : { tags: tagList }),
    ...(profileList === undefined ? {} : { profiles: profileList }),
  }
}
