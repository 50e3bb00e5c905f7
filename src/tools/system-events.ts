/** What happened beside the conversations of this program and their agents should hear of: a command that ended, a sub-agent that is done. */
export interface SystemEvents {
  /** Keeps a text for a session until something is said to it next, or the turn that is under way is over. */
  push(sessionKey: string, text: string): void
  /** The texts that wait for a session, the oldest first; they are gone with this. */
  take(sessionKey: string): readonly string[]
  /** How many wait. */
  count(sessionKey: string): number
}

/** Puts texts that waited in front of a message, one `[system]` line each; the message alone where none did. */
export function withEvents(events: readonly string[], text: string): string {
  const lines = events.map((event) => `[system] ${event}`)
  return lines.length === 0 ? text : [...lines, ...(text === '' ? [] : ['', text])].join('\n')
}
