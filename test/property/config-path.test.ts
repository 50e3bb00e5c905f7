import * as fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { parsePath, parseSteps } from '../../src/config/path-syntax.ts'
import { appendIn, getIn, removeIn, setIn, unsetIn } from '../../src/config/path-value.ts'
import { OpenClawError } from '../../src/kernel/errors.ts'
import { formatPath } from '../../src/kernel/path.ts'
import type { Path } from '../../src/kernel/path.ts'
import { law, runs, seedOf } from './random.ts'

const reserved = new Set(['__proto__', 'prototype', 'constructor'])
const key = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.string({ unit: fc.constantFrom(...`ab0.[]"'\\ =-*$_\n`), maxLength: 6 }),
    fc.constantFrom('tools', 'deny', 'openai/gpt-5', '-100', '0'),
  )
  .filter((text) => !reserved.has(text))
const path = fc.array(fc.oneof(key, fc.nat({ max: 5 })), { maxLength: 5 })
const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })

/** Paths of everything inside a value, the root included. */
function pathsOf(item: unknown, at: Path = []): Path[] {
  if (typeof item !== 'object' || item === null) return [at]
  const inner = Array.isArray(item)
    ? item.flatMap((entry, index) => pathsOf(entry, [...at, index]))
    : Object.entries(item)
        .filter(([name]) => !reserved.has(name))
        .flatMap(([name, entry]) => pathsOf(entry, [...at, name]))
  return [at, ...inner]
}

const options = { seed: seedOf('config-path'), numRuns: runs(40_000) }

function codeOf(run: () => unknown): string | null {
  try {
    run()
  } catch (error) {
    return error instanceof OpenClawError ? error.code : `not an OpenClawError: ${String(error)}`
  }
  return null
}

/** The value without the entry or key at the path, by another way than `unsetIn`. */
function without(parent: unknown, last: string | number): unknown {
  if (Array.isArray(parent)) return parent.filter((_entry, at) => at !== last)
  return Object.fromEntries(Object.entries(Object(parent)).filter(([name]) => name !== last))
}

test('what formatPath writes, parsePath reads', () => {
  const property = fc.property(path, (segments) =>
    isDeepStrictEqual(parsePath(formatPath(segments)), segments),
  )
  expect(() => fc.assert(property, options)).not.toThrow()
})

test('any text is a path or PATH_INVALID', () => {
  const text = fc.string({ unit: fc.constantFrom(...`ab01.[]"'\\ =`), maxLength: 12 })
  const property = fc.property(text, (source) =>
    [null, 'PATH_INVALID'].includes(codeOf(() => parseSteps(source))),
  )
  expect(() => fc.assert(property, options)).not.toThrow()
})

test('set, unset, append and remove change the one place and leave their input alone', () => {
  const property = fc.property(value, fc.nat(), value, (root, choice, next) => {
    const places = pathsOf(root)
    const place = places[choice % places.length] ?? []
    const parent = place.slice(0, -1)
    const last = place.at(-1)
    const old = getIn(root, place)
    const before = JSON.stringify(root)

    const set = setIn(root, place, next)
    law(isDeepStrictEqual(getIn(set, place), next), 'the set value is there')
    law(JSON.stringify(setIn(set, place, old)) === before, 'setting it back restores the whole')

    const unset = unsetIn(root, place)
    const left = last === undefined ? root : without(getIn(root, parent), last)
    law(isDeepStrictEqual(getIn(unset, parent), left), 'unset removes just that')

    if (Array.isArray(old)) {
      const appended = appendIn(root, place, { marker: 'of this run' })
      law(
        isDeepStrictEqual(getIn(appended, place), [...old, { marker: 'of this run' }]),
        'append adds at the end',
      )
      law(
        JSON.stringify(removeIn(appended, place, { marker: 'of this run' })) === before,
        'remove undoes append',
      )
    }
    law(JSON.stringify(root) === before, 'the input is as it was')
  })
  expect(() => fc.assert(property, { ...options, numRuns: runs(10_000) })).not.toThrow()
})
