/** What something that was thrown says of itself; code of others may throw what has no words, or throws anew when it is asked: then it is empty. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.message}` : String(thrown)
  } catch {
    return ''
  }
}

/** Where something was thrown, as its stack has it; empty where it has none. */
export function thrownStack(thrown: unknown): string {
  try {
    const stack: unknown = thrown instanceof Error ? thrown.stack : ''
    return typeof stack === 'string' ? stack : ''
  } catch {
    return ''
  }
}
