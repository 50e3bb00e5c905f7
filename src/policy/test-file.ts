import type { EditionId } from '../catalog/edition.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { formatPath, type Path } from '../kernel/path.ts'
import { suggest } from '../kernel/suggest.ts'

/** A tool a case expects to be hidden, with the step that must have done it where the case says so. */
export type HiddenExpectation = string | { readonly tool: string; readonly step?: string }

/** What a policy test case claims; tools that it does not name are not checked (contract §5). */
export interface Expectation {
  readonly visible?: readonly string[]
  readonly direct?: readonly string[]
  readonly deferred?: readonly string[]
  readonly hidden?: readonly HiddenExpectation[]
  readonly unavailable?: readonly HiddenExpectation[]
  readonly notices?: readonly string[]
  readonly notNotices?: readonly string[]
  readonly configInvalid?: boolean
}

/** The parts of a session that a file gives for all its cases and a case for itself. */
export interface CaseInput {
  readonly edition?: EditionId
  readonly config?: Readonly<Record<string, unknown>>
  readonly inventory?: Readonly<Record<string, unknown>>
  readonly context?: Readonly<Record<string, unknown>>
}

export interface PolicyCase extends CaseInput {
  readonly name: string
  readonly expect: Expectation
}

/** A policy test file; values of a case replace those of the file. */
export interface PolicyTestFile extends CaseInput {
  readonly cases: readonly PolicyCase[]
}

type Fields = Readonly<Record<string, (value: unknown) => boolean>>

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isName = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const isNames = (value: unknown): boolean => Array.isArray(value) && value.every(isName)
const isHidden = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (each) =>
      isName(each) ||
      (isRecord(each) &&
        isName(each.tool) &&
        (each.step === undefined || isName(each.step)) &&
        Object.keys(each).every((key) => key === 'tool' || key === 'step')),
  )

const inputFields: Fields = {
  edition: (value) => value === '2026.7' || value === '2026.9',
  config: isRecord,
  inventory: isRecord,
  context: isRecord,
}

const fileFields: Fields = { ...inputFields, cases: Array.isArray }

const caseFields: Fields = { ...inputFields, name: isName, expect: isRecord }

const expectFields: Fields = {
  visible: isNames,
  direct: isNames,
  deferred: isNames,
  hidden: isHidden,
  unavailable: isHidden,
  notices: isNames,
  notNotices: isNames,
  configInvalid: (value) => typeof value === 'boolean',
}

const wanted: Readonly<Record<string, string>> = {
  edition: '"2026.7" or "2026.9"',
  config: 'an object',
  inventory: 'an object',
  context: 'an object',
  cases: 'a list of cases',
  name: 'a text',
  expect: 'an object',
  visible: 'a list of tool names',
  direct: 'a list of tool names',
  deferred: 'a list of tool names',
  hidden: 'a list of names or { tool, step } objects',
  unavailable: 'a list of names or { tool, step } objects',
  notices: 'a list of notice ids',
  notNotices: 'a list of notice ids',
  configInvalid: 'true or false',
}

function checkFields(value: unknown, fields: Fields, at: Path, file: string): void {
  const place = `${file}: ${formatPath(at) || 'the file'}`
  if (!isRecord(value)) throw new OpenClawError('INPUT_INVALID', `${place}: expected an object`)
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue
    // `$schema` and comments-as-keys help editors and mean nothing here.
    if (key.startsWith('$')) continue
    const check = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (!check) {
      const near = suggest(key, Object.keys(fields))
      throw new OpenClawError('INPUT_INVALID', `${place}: unknown field "${key}"`, {
        hints:
          near.length > 0
            ? [`did you mean ${near.join(', ')}?`]
            : [`known fields: ${Object.keys(fields).join(', ')}`],
      })
    }
    if (!check(each)) {
      throw new OpenClawError(
        'INPUT_INVALID',
        `${file}: ${formatPath([...at, key])}: expected ${wanted[key]}`,
      )
    }
  }
}

/** Checks a policy test file's shape; INPUT_INVALID names the place of the first mistake. */
export function parseTestFile(value: unknown, file: string): PolicyTestFile {
  checkFields(value, fileFields, [], file)
  const parsed = value as PolicyTestFile
  if (!Array.isArray(parsed.cases)) {
    throw new OpenClawError('INPUT_INVALID', `${file}: cases: expected a list of cases`, {
      hints: ['a policy test file is { edition?, config, inventory?, context?, cases: [{ name, expect }] }'],
    })
  }
  parsed.cases.forEach((each, index) => {
    const at: Path = ['cases', index]
    checkFields(each, caseFields, at, file)
    for (const field of ['name', 'expect'] as const) {
      if (each[field] === undefined) {
        throw new OpenClawError(
          'INPUT_INVALID',
          `${file}: ${formatPath([...at, field])}: missing, expected ${wanted[field]}`,
        )
      }
    }
    checkFields(each.expect, expectFields, [...at, 'expect'], file)
  })
  return parsed
}
