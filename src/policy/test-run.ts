import { editions } from '../catalog/edition.ts'
import { suggest } from '../kernel/suggest.ts'
import { noticeHelp } from './notice-help.ts'
import { shownStep } from './report.ts'
import type { Expectation, HiddenExpectation } from './test-file.ts'
import { stepIds, type Decision } from './types.ts'
import type { View } from './view.ts'

/** What a case's session turned out to be. */
export type CaseOutcome =
  | { readonly kind: 'view'; readonly view: View; readonly noticeIds: readonly string[] }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }

/** The verdict on one case (contract §5, `tools test`). */
export interface CaseResult {
  readonly file: string
  readonly name: string
  readonly ok: boolean
  readonly problems: readonly string[]
  /** Claims that hold and are probably not what was meant. */
  readonly warnings?: readonly string[]
}

export interface TestResult {
  readonly passed: number
  readonly failed: number
  readonly cases: readonly CaseResult[]
}

/** What happened to one name. */
interface State {
  readonly verdict: 'direct' | 'deferred' | 'control' | 'hidden' | 'unavailable' | 'absent'
  readonly decision?: Decision
}

function stateOf(view: View, name: string): State {
  const wanted = name.trim().toLowerCase()
  const decision =
    view.decisions.find(({ tool }) => tool.name === name) ??
    view.decisions.find(({ tool }) => tool.name.toLowerCase() === wanted)
  if (!decision) return { verdict: 'absent' }
  const exposure = view.exposure(decision.tool)
  return { verdict: exposure ?? (decision.verdict === 'unavailable' ? 'unavailable' : 'hidden'), decision }
}

const isHiddenState = ({ verdict }: State): boolean =>
  verdict === 'hidden' || verdict === 'unavailable' || verdict === 'absent'

function describe(name: string, { verdict, decision }: State): string {
  if (verdict === 'absent') return `${name} does not exist in this session`
  const entry = decision?.trace[decision.decisive]
  return entry ? `${name} is ${verdict} (${shownStep(entry)}: ${entry.reason})` : `${name} is ${verdict}`
}

const nameOf = (expected: HiddenExpectation): string =>
  typeof expected === 'string' ? expected : expected.tool
const stepOf = (expected: HiddenExpectation): string | undefined =>
  typeof expected === 'string' ? undefined : expected.step

/** Whether a decision was made at a step, given bare or with its list (contract §4). */
function decidedAt(decision: Decision | undefined, step: string): boolean {
  const entry = decision?.trace[decision.decisive]
  return entry !== undefined && (entry.step === step || shownStep(entry) === step)
}

const isStep = (step: string): boolean =>
  stepIds.some((id) => id === step.replace(/\.(?:allow|deny)$/, '') || id === step)

function hiddenProblems(view: View, expected: HiddenExpectation, onlyUnavailable: boolean): string[] {
  const name = nameOf(expected)
  const state = stateOf(view, name)
  const word = onlyUnavailable ? 'unavailable' : 'hidden'
  const matches = onlyUnavailable
    ? state.verdict === 'unavailable' || state.verdict === 'absent'
    : isHiddenState(state)
  if (!matches) return [`expected ${name} to be ${word}, but ${describe(name, state)}`]
  const step = stepOf(expected)
  if (step === undefined || decidedAt(state.decision, step)) return []
  const unknown = isStep(step) ? '' : ` (there is no step ${step})`
  return [`expected ${name} to be ${word} at ${step}${unknown}, but ${describe(name, state)}`]
}

function visibleProblems(
  view: View,
  names: readonly string[],
  accepted: readonly State['verdict'][],
  word: string,
): string[] {
  return names.flatMap((name) => {
    const state = stateOf(view, name)
    return accepted.includes(state.verdict)
      ? []
      : [`expected ${name} to be ${word}, but ${describe(name, state)}`]
  })
}

/** Compares one case's claims with what the session turned out to be; an empty list means the case holds. */
export function judgeCase(expect: Expectation, outcome: CaseOutcome): string[] {
  if (outcome.kind === 'failed') return [outcome.message]
  if (outcome.kind === 'invalid') {
    return expect.configInvalid === true
      ? []
      : outcome.problems.map((problem) => `the config is invalid: ${problem}`)
  }
  if (expect.configInvalid === true) return ['expected the config to be invalid, but it is valid']
  const { view, noticeIds } = outcome
  return [
    ...visibleProblems(view, expect.visible ?? [], ['direct', 'deferred', 'control'], 'visible'),
    ...visibleProblems(view, expect.direct ?? [], ['direct'], 'direct'),
    ...visibleProblems(view, expect.deferred ?? [], ['deferred'], 'deferred'),
    ...(expect.hidden ?? []).flatMap((each) => hiddenProblems(view, each, false)),
    ...(expect.unavailable ?? []).flatMap((each) => hiddenProblems(view, each, true)),
    ...(expect.notices ?? [])
      .filter((id) => !noticeIds.includes(id))
      .map((id) => `expected the notice ${id}, but the notices are: ${noticeIds.join(', ') || 'none'}`),
    ...(expect.notNotices ?? [])
      .filter((id) => noticeIds.includes(id))
      .map((id) => `expected no notice ${id}, but it was given`),
  ]
}

function knownNames(view: View): Set<string> {
  const own = [...view.edition.otherCoreTools, ...Object.keys(view.edition.aliases)]
  const catalogued = Object.values(editions).flatMap((edition) => edition.tools.map(({ id }) => id))
  return new Set([...own, ...catalogued, ...view.decisions.map(({ tool }) => tool.name)])
}

/** Notices that no config can bring: a claim that one of them stays away holds and guards nothing. */
function unknownNotices(expect: Expectation): string[] {
  const ids = Object.keys(noticeHelp)
  return (expect.notNotices ?? [])
    .filter((id) => !ids.includes(id))
    .map((id) => {
      const near = suggest(id, ids)
      return `no notice is called ${id}, so it never comes${near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''}`
    })
}

/** Names of notices, and of hidden tools, that look like slips of the pen: whatever does not exist is hidden, so such a claim holds and guards nothing. */
export function likelySlips(expect: Expectation, outcome: CaseOutcome): string[] {
  if (outcome.kind !== 'view') return []
  return [...unknownNotices(expect), ...unknownTools(expect, outcome.view)]
}

function unknownTools(expect: Expectation, view: View): string[] {
  const absent = [...(expect.hidden ?? []), ...(expect.unavailable ?? [])]
    .map(nameOf)
    .filter((name) => stateOf(view, name).verdict === 'absent')
  if (absent.length === 0) return []
  const known = knownNames(view)
  return absent.flatMap((name) => {
    const near = known.has(name.trim().toLowerCase()) ? [] : suggest(name, known)
    return near.length > 0
      ? [`no tool is called ${name}, so it is hidden anyway; did you mean ${near.join(', ')}?`]
      : []
  })
}

/** Rewrites a case's claims to what is true now, naming the same tools and notices as before (`tools test --update`). */
export function updatedExpectation(expect: Expectation, outcome: CaseOutcome): Expectation {
  if (outcome.kind === 'failed') return expect
  if (outcome.kind === 'invalid') return { configInvalid: true }
  const { view, noticeIds } = outcome
  const isVisible = (name: string): boolean => !isHiddenState(stateOf(view, name))
  const lists = { visible: new Set<string>(), direct: new Set<string>(), deferred: new Set<string>() }
  const hidden = new Map<string, HiddenExpectation>()
  const unavailable = new Map<string, HiddenExpectation>()
  const keepHidden = (expected: HiddenExpectation, strict: boolean): void => {
    const name = nameOf(expected)
    const { verdict, decision } = stateOf(view, name)
    const entry = decision?.trace[decision.decisive]
    const step = stepOf(expected)
    const kept =
      step === undefined || decidedAt(decision, step) || !entry
        ? expected
        : { tool: name, step: shownStep(entry) }
    const target = strict && verdict !== 'hidden' ? unavailable : hidden
    target.set(name, kept)
  }
  for (const [field, names] of [
    ['visible', expect.visible],
    ['direct', expect.direct],
    ['deferred', expect.deferred],
  ] as const) {
    for (const name of names ?? []) {
      const { verdict } = stateOf(view, name)
      if (!isVisible(name)) keepHidden(name, false)
      else if (field === 'visible' || verdict === 'control') lists.visible.add(name)
      else lists[verdict === 'deferred' ? 'deferred' : 'direct'].add(name)
    }
  }
  for (const [strict, list] of [
    [false, expect.hidden],
    [true, expect.unavailable],
  ] as const) {
    for (const each of list ?? []) {
      if (isVisible(nameOf(each))) lists.visible.add(nameOf(each))
      else keepHidden(each, strict)
    }
  }
  const notNotices = (expect.notNotices ?? []).filter((id) => !noticeIds.includes(id))
  const notices = [
    ...(expect.notices ?? []).filter((id) => noticeIds.includes(id)),
    ...(expect.notNotices ?? []).filter((id) => noticeIds.includes(id)),
  ]
  const filled = Object.entries({
    visible: [...lists.visible],
    direct: [...lists.direct],
    deferred: [...lists.deferred],
    hidden: [...hidden.values()],
    unavailable: [...unavailable.values()],
    notices,
    notNotices,
  }).filter(([, list]) => list.length > 0)
  return Object.fromEntries(filled)
}

/** Adds up case results (contract §5). */
export function summarize(cases: readonly CaseResult[]): TestResult {
  const passed = cases.filter((each) => each.ok).length
  return { passed, failed: cases.length - passed, cases }
}

const xmlEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const xml = (text: string): string =>
  // Control characters are no legal XML, not even escaped.
  // oxlint-disable-next-line no-control-regex
  text
    .replace(/[&<>"]/g, (each) => xmlEscapes[each]!)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '?')

/** Writes the results as a JUnit file: one suite per test file. */
export function toJunit(result: TestResult): string {
  const files = [...new Set(result.cases.map((each) => each.file))]
  const suites = files.map((file) => {
    const cases = result.cases.filter((each) => each.file === file)
    const failures = cases.filter((each) => !each.ok).length
    const body = cases.map((each) =>
      each.ok
        ? `    <testcase classname="${xml(file)}" name="${xml(each.name)}"/>`
        : `    <testcase classname="${xml(file)}" name="${xml(each.name)}">\n` +
          `      <failure message="${xml(each.problems[0] ?? '')}">${xml(each.problems.join('\n'))}</failure>\n    </testcase>`,
    )
    return [
      `  <testsuite name="${xml(file)}" tests="${cases.length}" failures="${failures}">`,
      ...body,
      '  </testsuite>',
    ].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${result.cases.length}" failures="${result.failed}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}
