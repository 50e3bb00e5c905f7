import { showName } from '../kernel/untrusted-text.ts'
import type { DialOptions } from '../runtime/mcp-servers.ts'

/** Milliseconds after which a person begins to wonder. */
const patience = 300

/**
 * Runs work that says now and then what it waits for. A person at a terminal reads that on stderr after 300 ms, in one line that
 * is gone in the end; everybody else gets nothing.
 */
export async function withProgress<Result>(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): boolean },
  work: (show: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  if (!stream.isTTY) return work(() => {})
  let text = ''
  let isShown = false
  const draw = () => {
    if (!isShown || text === '') return
    stream.write(`\r\u001B[K${text.slice(0, Math.max(10, stream.columns - 1))}`)
  }
  const timer = setTimeout(() => {
    isShown = true
    draw()
  }, patience)
  try {
    return await work((next) => {
      text = next
      draw()
    })
  } finally {
    clearTimeout(timer)
    if (isShown) stream.write('\r\u001B[K')
  }
}

/** Runs work that dials MCP servers: it ends with the command's signal, and a person who waits is told for what. */
export function dialling<Result>(
  command: { readonly version: string; readonly signal: AbortSignal },
  work: (dial: DialOptions) => Promise<Result>,
): Promise<Result> {
  return withProgress(process.stderr, (show) => {
    const onProgress = (waiting: readonly string[]) =>
      show(waiting.length === 0 ? '' : `waiting for ${waiting.map((name) => showName(name, 40)).join(', ')}`)
    return work({ ...command, onProgress })
  })
}
