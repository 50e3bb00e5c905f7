import { editionOfVersion, type EditionId } from '../../kernel/edition-id.ts'
import type { Notice, Path } from '../../kernel/path.ts'
import { configSchema } from '../generated/config-schema.ts'
import { isOfType, meets, patternOf } from '../meets.ts'
import { forbiddenKeys } from '../oddity.ts'
import { getIn, isRecord } from '../path-value.ts'
import { isSecretPath, redactText } from '../redact.ts'
import type { SchemaNode } from '../schema-node.ts'
import { repeatedAgents } from '../repeated-agents.ts'
import type { Issue, ValidateOptions } from '../validate.ts'
import { describeExpected, describeValue, resolve } from './describe.ts'
import { checkEverywhere } from './everywhere.ts'
import { collectFindings, type Findings } from './findings.ts'
import { guessValue } from './guess.ts'
import { remarkKey, unknownKey, type Walk } from './keys.ts'
import { lints } from './lints.ts'
import { rules } from './rules.ts'

/** How many entries of one list are reported one by one. */
const listedEntries = 100

/** Everything there is to say about a config: errors and warnings, each in file order. */
export function reportOn(value: unknown, options: ValidateOptions): { issues: Issue[]; warnings: Notice[] } {
  const findings = collectFindings(options)
  checkEverywhere(value, findings)
  if (visit(configSchema, value, [], { edition: options.edition, findings }, false)) {
    remarkAgents(value, findings)
  }
  remarkStamp(value, options.edition, findings)
  return { issues: findings.issues(), warnings: findings.warnings() }
}

/** A config is judged by the edition that was asked for, even where another one wrote it. */
function remarkStamp(config: unknown, edition: EditionId, findings: Findings): void {
  const path = ['meta', 'lastTouchedVersion']
  const stamped = editionOfVersion(getIn(config, path))
  if (stamped === null || stamped === edition) return
  findings.warn(path, {
    id: 'edition-mismatch',
    severity: 'info',
    message: `the config was last written by edition ${stamped} and is judged as ${edition} here`,
  })
}

function remarkAgents(config: unknown, findings: Findings): void {
  // The structure has just been found right, so this is a Config as far as agents go.
  const { agents } = isRecord(config) ? config : {}
  if (!isRecord(agents)) return
  for (const path of repeatedAgents({ agents })) {
    findings.warn(path, {
      id: 'duplicate-id',
      severity: 'warning',
      message: 'an agent with this id stands before it; this one is not read',
    })
  }
}

/** Reports on a value and what is in it; true when its structure is right (rules may still object). */
function visit(node: SchemaNode, value: unknown, path: Path, walk: Walk, secret: boolean): boolean {
  // Reported wherever they stand; a second message about range or type would only confuse.
  if (typeof value === 'number' && !Number.isFinite(value)) return false
  const here = resolve(node, configSchema)
  const hidden = secret || here['x-sensitive'] === true
  remarkEdition(here, path, walk)
  if (here.anyOf) return visitUnion(here, here.anyOf, value, path, walk, hidden)
  if (here.not && Object.keys(here.not).length === 0) {
    walk.findings.error(path, { message: here.description ?? 'is not allowed here' })
    return false
  }
  if (!fitsAlone(here, value)) return mismatch(here, value, path, walk, hidden)
  if (Array.isArray(value)) return visitList(here, value, path, walk, hidden)
  return isRecord(value) ? visitObject(here, value, path, walk, hidden) : true
}

function remarkEdition(node: SchemaNode, path: Path, { edition, findings }: Walk): void {
  const owner = node['x-edition']
  if (owner === undefined || owner === edition) return
  const instead = node['x-instead']
  findings.warn(path, {
    id: 'edition-mismatch',
    severity: 'warning',
    message: `belongs to edition ${owner} and is not read in ${edition}${instead ? `, which has ${instead}` : ''}`,
  })
}

/** Type, enum, range and pattern; not what is inside. */
function fitsAlone(node: SchemaNode, value: unknown): boolean {
  if (node.type !== undefined && !isOfType(value, node.type)) return false
  if (node.enum !== undefined && !node.enum.includes(value)) return false
  if (typeof value === 'number') {
    return value >= (node.minimum ?? -Infinity) && value <= (node.maximum ?? Infinity)
  }
  return typeof value !== 'string' || node.pattern === undefined || patternOf(node.pattern).test(value)
}

function mismatch(node: SchemaNode, value: unknown, path: Path, { findings }: Walk, hidden: boolean): false {
  const secret = hidden || isSecretPath(path, isRecord(value))
  const blank = node.type === 'string' && typeof value === 'string'
  const expected = blank ? 'a string that is not blank' : describeExpected(node, configSchema)
  const got = describeValue(value, secret)
  const holdsSecret = secret || (typeof value === 'string' && redactText(value) !== value)
  const suggestion = holdsSecret ? undefined : guessValue(node, value, configSchema)
  findings.error(path, {
    message: `expected ${expected}, got ${got}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
    expected,
    got,
    suggestion,
  })
  return false
}

function visitUnion(
  node: SchemaNode,
  members: readonly SchemaNode[],
  value: unknown,
  path: Path,
  walk: Walk,
  hidden: boolean,
): boolean {
  const fitting = members.find((member) => fitsAlone(resolve(member, configSchema), value))
  return fitting === undefined
    ? mismatch(node, value, path, walk, hidden)
    : visit(fitting, value, path, walk, hidden)
}

function visitList(
  node: SchemaNode,
  items: readonly unknown[],
  path: Path,
  walk: Walk,
  hidden: boolean,
): boolean {
  const { items: item } = node
  if (item === undefined) return true
  let wrong = 0
  for (const [index, entry] of items.entries()) {
    if (wrong >= listedEntries) {
      if (!meets(item, entry, walk.edition, configSchema)) wrong += 1
    } else if (!visit(item, entry, [...path, index], walk, hidden)) wrong += 1
  }
  if (wrong > listedEntries) {
    walk.findings.error(path, { message: `${wrong - listedEntries} more entries of this list are wrong` })
  }
  return wrong === 0
}

function visitObject(
  node: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  walk: Walk,
  hidden: boolean,
): boolean {
  const { properties = {}, additionalProperties } = node
  let right = true
  for (const key of node.required ?? []) {
    if (Object.hasOwn(value, key) && value[key] !== undefined) continue
    const expected = properties[key] ? describeExpected(properties[key], configSchema) : 'a value'
    walk.findings.error([...path, key], {
      message: `is missing: expected ${expected}`,
      expected,
      got: 'nothing',
    })
    right = false
  }
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined) continue
    if (forbiddenKeys.has(key)) {
      right = false
      continue
    }
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined
    const child = known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    if (child) right = visit(child, entry, [...path, key], walk, hidden) && right
    else if (additionalProperties === false) {
      unknownKey(node, key, path, walk)
      right = false
    } else remarkKey(node, key, value, path, walk)
  }
  if (right && node['x-rule'] !== undefined) rules[node['x-rule']]?.(value, path, walk.findings)
  if (node['x-lint'] !== undefined) lints[node['x-lint']]?.(value, path, walk.findings)
  return right
}
