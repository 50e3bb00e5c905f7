import type { TranscriptMessage, TranscriptPart } from './transcript.ts'

/** What was wrong with the calls and results of a history. */
export interface RepairReport {
  /** Results without a call: of a call that never was, of one whose message was cut off, or with no id. */
  readonly orphans: number
  /** Further results of a call that has one. */
  readonly duplicates: number
  /** Results that did not follow their call. */
  readonly displaced: number
  /** Calls without a result, which got one that says so. */
  readonly unanswered: number
  /** Messages of the model with nothing in them. */
  readonly empty: number
}

export interface Repaired<Message> {
  readonly messages: readonly Message[]
  readonly report: RepairReport
}

/** What stands for the result of a call that has none. */
export const missingResultText =
  'No result was recorded: the program ended while this tool was running. It may have had an effect.'

/** A call of the history that waits for its result. */
interface Open {
  readonly message: number
  readonly part: TranscriptPart
  result: { readonly at: number } | null
}

/** How the history said how a message ended before the model was done with it. */
const cutOff: ReadonlySet<string | undefined> = new Set(['aborted', 'error'])

/**
 * The messages of a history as every provider accepts them: each call has exactly one result, right behind it and in the order of the
 * calls. Results are moved to their call or dropped, missing ones made up; nothing else changes. A result belongs to the latest call of its id
 * that has none yet, else to the first that comes. Pure; what is on disk stays as it is.
 */
export function repairHistory<Message extends TranscriptMessage>(
  history: readonly Message[],
  makeResult: (call: TranscriptPart, text: string) => Message,
): Repaired<Message> {
  const calls = openCalls(history)
  const { duplicates, orphans } = matchResults(history, calls)
  const messages: Message[] = []
  let displaced = 0
  let unanswered = 0
  let empty = 0
  for (const [at, message] of history.entries()) {
    if (message.role === 'toolResult') continue
    if (message.role !== 'assistant') {
      messages.push(message)
      continue
    }
    const own = calls.filter((call) => call.message === at)
    if (own.length === 0 && !saysAnything(message)) {
      empty += 1
      continue
    }
    messages.push(
      own.length === 0 && message.stopReason === 'toolUse' ? { ...message, stopReason: 'stop' } : message,
    )
    for (const [place, { part, result }] of own.entries()) {
      const found = result === null ? undefined : history[result.at]
      if (found === undefined) unanswered += 1
      else if (result?.at !== at + 1 + place) displaced += 1
      messages.push(found ?? makeResult(part, missingResultText))
    }
  }
  return { messages, report: { orphans, duplicates, displaced, unanswered, empty } }
}

function openCalls(history: readonly TranscriptMessage[]): Open[] {
  return history.flatMap((message, at) =>
    message.role === 'assistant' ? callsIn(message).map((part) => ({ message: at, part, result: null })) : [],
  )
}

function callsIn({ content }: TranscriptMessage): readonly TranscriptPart[] {
  return content.filter((part) => part.type === 'toolCall' && (part.id ?? '') !== '')
}

function matchResults(
  history: readonly TranscriptMessage[],
  calls: readonly Open[],
): { readonly duplicates: number; readonly orphans: number } {
  let duplicates = 0
  let orphans = 0
  for (const [at, message] of history.entries()) {
    if (message.role !== 'toolResult') continue
    const same = calls.filter((call) => call.part.id === message.toolCallId)
    const free = same.filter((call) => call.result === null)
    const latest = free.findLast((each) => each.message < at)?.message
    const call = free.find((each) => each.message === latest) ?? free[0]
    if (call !== undefined) call.result = { at }
    else if (same.length > 0) duplicates += 1
    else orphans += 1
  }
  return { duplicates, orphans }
}

function saysAnything({ content, stopReason }: TranscriptMessage): boolean {
  const said = content.some((part) =>
    part.type === 'text' ? (part.text ?? '') !== '' : part.type !== 'thinking',
  )
  return said || (content.length > 0 && !cutOff.has(stopReason))
}
