import { cleanLine } from '../../kernel/untrusted-text.ts'
import { redactText } from '../redact-text.ts'
import { definition, kindOf } from '../meets.ts'
import type { SchemaNode } from '../schema-node.ts'

const shownLength = 40

/** A string as a message shows it: one line, cut, in double quotes. */
export function quote(text: string): string {
  return JSON.stringify(cleanLine(text, shownLength))
}

/** A value in words, such as `the string "exec"` or `a list of 3`; of a secret only its type. */
export function describeValue(value: unknown, secret: boolean): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  switch (kindOf(value)) {
    case 'null':
      return 'null'
    case 'object':
      return 'an object'
    case 'string':
      return secret ? 'a string' : `the string ${quote(redactText(String(value)))}`
    case 'number':
      return secret ? 'a number' : `the number ${String(value)}`
    case 'boolean':
      return String(value)
    default:
      return 'nothing'
  }
}

/** Words joined as in a sentence: `a, b or c`. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

const resolved = new WeakMap<SchemaNode, SchemaNode>()

/** A node with its definition merged in; what stands at the place wins. */
export function resolve(node: SchemaNode, root: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node
  const known = resolved.get(node)
  if (known) return known
  const merged = { ...definition(node.$ref, root), ...node }
  resolved.set(node, merged)
  return merged
}

/** What a node accepts, in words, such as `true, false or an object`. */
export function describeExpected(node: SchemaNode, root: SchemaNode): string {
  return either([...new Set(expectedParts(node, root))])
}

function expectedParts(node: SchemaNode, root: SchemaNode): string[] {
  const { anyOf, enum: values, type, minimum, maximum, items } = resolve(node, root)
  if (anyOf) return anyOf.flatMap((member) => expectedParts(member, root))
  if (values) return values.map((value) => JSON.stringify(value))
  switch (type) {
    case 'boolean':
      return ['true', 'false']
    case 'string':
      return ['a string']
    case 'integer':
      return [`a whole number${range(minimum, maximum)}`]
    case 'number':
      return [`a number${range(minimum, maximum)}`]
    case 'array':
      return [items && resolve(items, root).type === 'string' ? 'a list of strings' : 'a list']
    case 'object':
      return ['an object']
    case 'null':
      return ['null']
    default:
      return ['any value']
  }
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}
