import { isRecord } from '../../catalog/source.ts'
import type { Binding } from './binding.ts'
import { namesIn, readValue } from './files.ts'
import { rememberedIn, type ApprovalAnswer, type StoredApproval } from './types.ts'

/** Version of the files. */
export const format = 1
/** Milliseconds a question that is over stays known, so that a late answer is told why it is void. */
export const afterlifeMs = 24 * 60 * 60_000

/** A question as it was written. */
export interface Question extends Omit<StoredApproval, 'state' | 'expiresAt'> {
  readonly binding: Binding
  readonly expiresAt: string
}

/** An answer as it was written. */
export interface Decision {
  readonly answer: ApprovalAnswer
  readonly at: string
}

/** A question with what has become of it. */
export interface Known {
  readonly binding: Binding
  readonly approval: StoredApproval
  /** Of a yes that whoever asked keeps: whether the call that it was given for may still run by it, once. */
  readonly kept?: 'fresh' | 'spent'
}

/** Files of one question; the question itself goes first when they are removed, since an answer without it is nobody's. */
export const filesOf = (id: string) =>
  ({ question: `${id}.json`, answer: `${id}.answer.json`, use: `${id}.used.json` }) as const

/** Every question of a directory, oldest first; `now` in milliseconds since 1970. Files that are damaged ask nothing. */
export function readQuestions(directory: string, now: number): readonly Known[] {
  const names = new Set(namesIn(directory))
  return [...names]
    .filter((name) => /^[0-9a-f]{8}\.json$/.test(name))
    .flatMap((name): Known[] => {
      const question = readQuestion(readValue(directory, name))
      if (question === null || filesOf(question.id).question !== name) return []
      const files = filesOf(question.id)
      const decision = names.has(files.answer)
        ? readDecision(readValue(directory, files.answer), question)
        : null
      const { binding } = question
      const isUsed = names.has(files.use)
      const approval = stateOf(question, decision, isUsed, now)
      if (approval.state !== 'always' || rememberedIn(question.wanted) === null)
        return [{ binding, approval }]
      const once = decision && stateOf(question, { ...decision, answer: 'allow-once' }, isUsed, now)
      return [{ binding, approval, kept: once?.state === 'allowed' ? 'fresh' : 'spent' }]
    })
    .toSorted((a, b) => compare(a.approval, b.approval))
}

function compare(a: StoredApproval, b: StoredApproval): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
  return a.id < b.id ? -1 : 1
}

function stateOf(question: Question, decision: Decision | null, used: boolean, now: number): StoredApproval {
  const { binding: _binding, ...shown } = question
  if (decision?.answer === 'allow-always') return { ...shown, state: 'always', expiresAt: null }
  const created = Date.parse(question.createdAt)
  const lifetime = Date.parse(question.expiresAt) - created
  const end = (decision === null ? created : Date.parse(decision.at)) + lifetime
  const approval = { ...shown, expiresAt: new Date(end).toISOString() }
  if (decision?.answer === 'allow-once' && used) return { ...approval, state: 'used' }
  // A clock that was set back must not give an old question a second life.
  if (now >= end || now < created - afterlifeMs) return { ...approval, state: 'expired' }
  if (decision === null) return { ...approval, state: 'pending' }
  return { ...approval, state: decision.answer === 'deny' ? 'denied' : 'allowed' }
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

function readQuestion(value: unknown): Question | null {
  if (!isRecord(value) || value['format'] !== format) return null
  const { format: _format, ...question } = value
  return isQuestion(question) ? question : null
}

/** Files of this program have all of it or, damaged, not. */
function isQuestion(value: object): value is Question {
  if (!('id' in value && 'binding' in value && 'tool' in value && 'wanted' in value)) return false
  const { id, binding, tool, wanted } = value
  const { agentId, sessionKey, createdAt, expiresAt }: Readonly<Record<string, unknown>> = { ...value }
  return (
    [id, agentId, sessionKey].every((each) => typeof each === 'string') &&
    isRecord(binding) &&
    typeof binding['once'] === 'string' &&
    typeof binding['always'] === 'string' &&
    isRecord(tool) &&
    typeof tool['id'] === 'string' &&
    typeof tool['name'] === 'string' &&
    Array.isArray(wanted) &&
    isTime(createdAt) &&
    isTime(expiresAt)
  )
}

/** An answer that cannot be read is a no: it was given, and nobody knows what it said. */
function readDecision(value: unknown, question: Question): Decision {
  const unreadable: Decision = { answer: 'deny', at: question.createdAt }
  if (!isRecord(value)) return unreadable
  const { answer, at } = value
  if (!isTime(at)) return unreadable
  return answer === 'allow-once' || answer === 'allow-always' || answer === 'deny'
    ? { answer, at }
    : unreadable
}
