import { createInterface } from 'node:readline/promises'
import type { OpenClawError } from '../kernel/errors.ts'

/** Shows what is wrong and asks whether to go on editing; without a terminal the answer is no. */
export async function askAgain(error: OpenClawError, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    process.stderr.write(`error: ${error.message}\n`)
    const answer = await lines.question('Edit again? [Y/n] ', { signal })
    return !/^\s*n/i.test(answer)
  } finally {
    lines.close()
  }
}
