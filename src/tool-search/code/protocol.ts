/*
 * What parent and child say to each other, one JSON value a line. The child is not believed: its lines are read by
 * `readLine` alone, and the parent checks every claim again.
 */

/** The limits that the guest realm keeps by itself, so that an honest snippet meets a clear error instead of the parent's kill. */
export interface GuestLimits {
  readonly valueSize: number
  readonly logSize: number
  readonly calls: number
  readonly pending: number
  /** Whether the snippet has `openclaw.tools`. */
  readonly bridge: boolean
}

/** From the parent: the snippet, or the answer to a call as JSON text (`ok: false`: `{ message, code? }`). */
export type ParentMessage =
  | { readonly t: 'run'; readonly code: string; readonly timeoutMs: number; readonly limits: GuestLimits }
  | { readonly t: 'answer'; readonly id: number; readonly ok: boolean; readonly json: string }

export const methods = ['search', 'describe', 'call'] as const
export type Method = (typeof methods)[number]

/** Why a snippet did not return a value, as far as the child can tell. */
export const failures = ['invalid_input', 'thrown', 'memory', 'output_limit', 'timeout'] as const
export type Failure = (typeof failures)[number]

/** Where in the snippet; both count from one. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** From the child. */
export type ChildMessage =
  /** `granted`: permissions the child still has, none in a locked one. */
  | { readonly t: 'ready'; readonly granted: readonly string[] }
  | { readonly t: 'log'; readonly text: string }
  /** The guest's log is full; `log` lines end here. */
  | { readonly t: 'full' }
  | {
      readonly t: 'call'
      readonly id: number
      readonly method: Method
      readonly args: readonly [unknown, unknown]
      readonly size: number
    }
  /** `idle`: calls that were made but never awaited, so that they did not start. */
  | { readonly t: 'value'; readonly value: unknown; readonly idle: number }
  | {
      readonly t: 'failure'
      readonly failure: Failure
      readonly message: string
      readonly position: Position | null
      readonly idle: number
    }

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isOneOf<Value extends string>(values: readonly Value[], value: unknown): value is Value {
  return values.some((each) => each === value)
}

function readPosition(value: unknown): Position | null {
  if (typeof value !== 'object' || value === null || !('line' in value) || !('column' in value)) return null
  const { line, column } = value
  return isCount(line) && isCount(column) && line > 0 && column > 0 ? { line, column } : null
}

/** Whether arrays and objects lie in each other more than `limit` levels deep; never recurses. */
export function isDeeper(value: unknown, limit: number): boolean {
  let level: object[] = typeof value === 'object' && value !== null ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true
    const next: object[] = []
    for (const parent of level) {
      for (const child of Object.values(parent)) {
        if (typeof child === 'object' && child !== null) next.push(child)
      }
    }
    level = next
  }
  return false
}

/** Reads one line of a child; null for everything an intact child would not write. */
export function readLine(line: string): ChildMessage | null {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof message !== 'object' || message === null || !('t' in message)) return null
  const fields: Readonly<Record<string, unknown>> = { ...message }
  switch (message.t) {
    case 'ready': {
      const { granted } = fields
      const isList = Array.isArray(granted) && granted.every((name) => typeof name === 'string')
      return isList ? { t: 'ready', granted } : null
    }
    case 'log':
      return typeof fields['text'] === 'string' ? { t: 'log', text: fields['text'] } : null
    case 'full':
      return { t: 'full' }
    case 'call': {
      const { id, method, args } = fields
      if (!isCount(id) || !isOneOf(methods, method) || !Array.isArray(args) || args.length !== 2) return null
      return { t: 'call', id, method, args: [args[0], args[1]], size: line.length }
    }
    case 'value':
      return isCount(fields['idle'])
        ? { t: 'value', value: fields['value'] ?? null, idle: fields['idle'] }
        : null
    case 'failure': {
      const { failure, message: text, idle } = fields
      if (!isOneOf(failures, failure) || typeof text !== 'string' || !isCount(idle)) return null
      return { t: 'failure', failure, message: text, position: readPosition(fields['position']), idle }
    }
    default:
      return null
  }
}
