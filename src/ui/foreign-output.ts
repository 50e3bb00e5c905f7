/**
 * Runs work that runs code of plugins: what that code prints goes to stderr, because stdout carries the answer alone. It has its way again
 * when the work is done or given up, before anybody reports on it.
 */
export async function withForeignOutput<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const { stdout, stderr } = process
  const write = stdout.write
  const restore = (): void => {
    stdout.write = write
  }
  stdout.write = stderr.write.bind(stderr)
  signal.addEventListener('abort', restore, { once: true })
  process.prependOnceListener('uncaughtException', restore)
  try {
    return await work()
  } finally {
    restore()
    signal.removeEventListener('abort', restore)
    process.removeListener('uncaughtException', restore)
  }
}
