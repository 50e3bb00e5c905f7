import type { Bounds } from '../bounds.ts'
import { cleanLine, cleanText } from '../../kernel/untrusted-text.ts'

export type ChildStatus = 'queued' | 'running' | 'done' | 'failed' | 'killed' | 'timeout'

/** What a session asks a sub-agent to do. */
export interface ChildOrder {
  readonly agentId: string
  readonly sessionKey: string
  /** Session that gets the result. */
  readonly parentKey: string
  readonly parentAgentId: string
  readonly label: string | null
  readonly task: string
  readonly owner: boolean
  /** What it is kept to, besides what stands in its session. */
  readonly bounds: Bounds
  /** What turns of the parent are kept to that are about the result: the run that wanted it may have had less than its session. */
  readonly parentBounds: Bounds
  /** Messages between sessions that led to it. */
  readonly hops: number
  /** Milliseconds after which it is stopped; 0 for never. */
  readonly limitMs: number
  /** Sub-agents of the program that may run at once. */
  readonly mostRunning: number
}

/** A sub-agent of this program as it stands. */
export interface Child extends ChildOrder {
  readonly runId: string
  readonly status: ChildStatus
  readonly startedAt: number
  readonly endedAt: number | null
  /** Its last message; null before that. */
  readonly text: string | null
  /** Why it failed or was ended. */
  readonly error: string | null
  readonly totalTokens: number
}

export function isActive({ status }: Pick<Child, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

const longestAnswer = 12_000

/** How people and models call a sub-agent. */
export function childName({ label, sessionKey }: Pick<Child, 'label' | 'sessionKey'>): string {
  return label === null ? sessionKey : `"${cleanLine(label, 100)}" (${sessionKey})`
}

/** What somebody else said, so that no line of it can pass for one of the system. */
export function quoted(text: string): string {
  return text.replaceAll(/^/gm, '> ')
}

/** What a parent is told when a sub-agent has ended. */
export function childNews(child: Child): string {
  const seconds = Math.max(0, Math.round(((child.endedAt ?? child.startedAt) - child.startedAt) / 1000))
  const name = childName(child)
  switch (child.status) {
    case 'done': {
      const text = cleanText(child.text ?? '', longestAnswer).trim()
      const said = text === '' ? ' It said nothing.' : ` It says:\n${quoted(text)}`
      return `Sub-agent ${name} is done after ${seconds} s.${said}`
    }
    case 'killed':
      return `Sub-agent ${name} was ended after ${seconds} s: ${cleanLine(child.error ?? '', 500)}`
    case 'timeout':
      return `Sub-agent ${name} was stopped after ${seconds} s, the time it had.`
    default:
      return `Sub-agent ${name} failed after ${seconds} s: ${cleanLine(child.error ?? '', 500)}`
  }
}
