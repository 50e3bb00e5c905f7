import { suggest } from '../../kernel/suggest.ts'
import { isRecord } from '../path-value.ts'
import type { SchemaNode } from '../schema-node.ts'
import { resolve } from './describe.ts'

const yes = new Set(['true', 'yes', 'on', '1', 'enabled'])
const no = new Set(['false', 'no', 'off', '0', 'disabled'])

/** The value a wrong value most likely stands for, as it would be written in the config; undefined without a good guess. */
export function guessValue(node: SchemaNode, value: unknown, root: SchemaNode): string | undefined {
  const { anyOf, enum: values, type, items, properties, 'x-words': words = {} } = resolve(node, root)
  if (anyOf) {
    for (const member of anyOf) {
      const guess = guessValue(member, value, root)
      if (guess !== undefined) return guess
    }
    return undefined
  }
  if (values) return guessOneOf(values, value, words)
  switch (type) {
    case 'boolean':
      return guessBoolean(value)
    case 'integer':
    case 'number':
      return typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? value.trim() : undefined
    case 'string':
      return typeof value === 'number' ? JSON.stringify(String(value)) : undefined
    case 'array':
      return items && resolve(items, root).type === 'string' ? guessList(value) : undefined
    case 'object':
      if (properties?.['enabled'] && typeof value === 'boolean') return `{ enabled: ${value} }`
      // Somebody who writes a list of names where a scope belongs means the names that are allowed.
      return properties?.['allow'] && Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? `{ allow: ${JSON.stringify(value.slice(0, 5))} }`
        : undefined
    default:
      return undefined
  }
}

function guessOneOf(
  values: readonly unknown[],
  value: unknown,
  words: Readonly<Record<string, string>>,
): string | undefined {
  const word = String(value).trim().toLowerCase()
  if (Object.hasOwn(words, word)) return JSON.stringify(words[word])
  if (typeof value !== 'string') return undefined
  const [best] = suggest(
    value,
    values.filter((candidate) => typeof candidate === 'string'),
    1,
  )
  return best === undefined ? undefined : JSON.stringify(best)
}

function guessBoolean(value: unknown): string | undefined {
  if (value === 1 || value === 0) return String(value === 1)
  if (typeof value !== 'string') return undefined
  const word = value.trim().toLowerCase()
  if (yes.has(word)) return 'true'
  if (no.has(word)) return 'false'
  return suggest(word, ['true', 'false'], 1)[0]
}

function guessList(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const words = value
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .slice(0, 5)
    return JSON.stringify(words)
  }
  if (!isRecord(value)) return undefined
  const words = Object.keys(value).filter((key) => value[key] === true)
  return words.length === 0 ? undefined : JSON.stringify(words.slice(0, 5))
}
