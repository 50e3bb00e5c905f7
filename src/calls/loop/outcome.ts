import { isRecord } from '../../catalog/source.ts'
import { jsonCopy, stableJson } from '../../kernel/stable-json.ts'

/** How a call ended, as far as progress shows in it. */
export interface CallEnd {
  readonly failed: boolean
  readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[]
  readonly details?: unknown
}

/** Longest text of one outcome that is looked at; a difference past it counts as none. */
const longestText = 200_000

/** Names of one delivery or request, and clocks: new with every call, whatever the call achieves. */
const volatileKey =
  /^(?:(?:message|msg|event|request|trace|span|delivery|receipt|correlation|idempotency|invocation|tool_?call)_?ids?|nonce|ts|timestamp|sent_?at|(?:duration|elapsed|took|latency)(?:_?(?:ms|s|sec|seconds))?)$/i
/** New with every start of the same command. */
const ofProcess = /^(?:session_?id|pid|started_?at)$/i

type Rewrite = readonly [RegExp, string]

const time = String.raw`\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?`
const duration = String.raw`\d+(?:\.\d+)? ?(?:ns|[u\xb5]s|ms|secs?|seconds?|mins?|minutes?|hrs?|hours?|[smh])`
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'

/** What differs in the output of a command that fails in the same way twice; error numbers, HTTP states, ports and counts stay. */
const ofFailure: readonly Rewrite[] = [
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|\s?[+-]\d{2}:?\d{2})?)?/g, '<time>'],
  [new RegExp(`\\b(?:${months})[a-z]*\\.? {1,2}\\d{1,2},? (?:\\d{4} )?${time}`, 'g'), '<time>'],
  [new RegExp(`(?<![\\w:.])${time}(?: ?[AP]M)?(?![\\w:])`, 'gi'), '<time>'],
  [/(?<![\w:.])\d{1,2}:\d{2} ?[AP]M\b/gi, '<time>'],
  [/(?<![\w.-])1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?(?![\w.-])/g, '<time>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [
    /\b((?:request|trace|span|correlation|session|message)[-_ ]?id)(["']?\s*[:=]?\s*["']?)[\w-]*\d[\w-]*/gi,
    '$1$2<id>',
  ],
  [
    /\b(attempt|retry|retries|try|tries|trial|iteration|round)(s?\s*[#:=]?\s*)\d+(?:\s*(?:\/|of)\s*\d+)?/gi,
    '$1$2<n>',
  ],
  [/\b\d+(?:st|nd|rd|th) (attempt|retry|try|iteration|round)\b/gi, '<n> $1'],
  [/\b(pid|process id|process)(\s*[:=#]?\s*)\d+/gi, '$1$2<n>'],
  [/(?<=\w)\[\d+\](?=:)/g, '[<n>]'],
  [/\((node|deno|bun):\d+\)/g, '($1:<n>)'],
  [new RegExp(`(?<![\\w.])${duration}(?: ?${duration})*(?!\\w)`, 'gi'), '<duration>'],
  [/(\/tmp\/)[\w.-]+/g, '$1<name>'],
  [/\b0x[0-9a-f]{6,}\b/gi, '<address>'],
]

/**
 * The outcome of a call as a text that is equal for outcomes between which nothing was achieved: without names of single
 * deliveries, of a started process and, in failures, without times, durations, attempt counters and process ids.
 */
export function outcomeText(end: CallEnd): string {
  const details = jsonCopy(end.details)
  const running = isRecord(details) && details['status'] === 'running'
  const failed = end.failed || saysFailure(details)
  const stale: string[] = []
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return rewrite(value)
    if (Array.isArray(value)) return value.map(walk)
    if (!isRecord(value)) return value
    const kept: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) {
      if (volatileKey.test(key) || ((running || failed) && ofProcess.test(key))) noteStale(member, stale)
      else kept.push([key, walk(member)])
    }
    return Object.fromEntries(kept)
  }
  const rewrite = (text: string): string => (failed ? withoutNoise(text) : text)
  const structure = stableJson(walk(details) ?? null)
  const texts = end.content.map((block) => {
    if (block.type !== 'text') return `${block.type}:${(block.data ?? '').slice(0, longestText)}`
    const text = (block.text ?? '').slice(0, longestText)
    const parsed = parseJson(text)
    if (parsed !== undefined) return stableJson(walk(parsed))
    return rewrite(withoutValues(text, stale))
  })
  return `${failed}\n${structure}\n${texts.join('\n')}`
}

/** Whether details say that the call failed: an exit code other than 0, or a status that means so. */
function saysFailure(details: unknown): boolean {
  if (!isRecord(details)) return false
  const { exitCode, exit_code: exit = exitCode, status, ok } = details
  if (typeof exit === 'number' && exit !== 0) return true
  return ok === false || (typeof status === 'string' && /^(?:error|failed|failure|timeout)$/i.test(status))
}

function noteStale(member: unknown, stale: string[]): void {
  if (typeof member !== 'string' && typeof member !== 'number') return
  const text = String(member)
  if (text.length >= 2) stale.push(text)
}

/** Tools often repeat in words what their details say, such as the id of a message that was sent. */
function withoutValues(text: string, stale: readonly string[]): string {
  let result = text
  for (const value of stale) result = result.replaceAll(value, '<id>')
  return result
}

function withoutNoise(text: string): string {
  let result = text
  for (const [pattern, stands] of ofFailure) result = result.replace(pattern, stands)
  return result
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
