/** Says that work was not done in time. */
export class TimeLimitError extends Error {}

/** Waits for work at most `limitMs` milliseconds, then throws a TimeLimitError; what comes later of the work is dropped. Work that never gives way cannot be ended from within. */
export async function withinLimit<Value>(
  work: () => Value | Promise<Value>,
  limitMs: number,
  what: string,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new TimeLimitError(`${what} took longer than ${limitMs} ms`)),
    limitMs,
  )
  try {
    return await Promise.race([work(), promise])
  } finally {
    clearTimeout(timer)
  }
}
