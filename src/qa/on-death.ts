/** Has work done when this process dies by itself or by a signal that it can notice; returns how to call that off. */
export function onDeath(work: () => void): () => void {
  const signals = ['SIGTERM', 'SIGHUP'] as const
  const handlers = signals.map((name) => {
    const handler = (): void => {
      work()
      process.kill(process.pid, name)
    }
    process.once(name, handler)
    return { name, handler }
  })
  process.once('exit', work)
  return () => {
    process.off('exit', work)
    for (const { name, handler } of handlers) process.off(name, handler)
  }
}
