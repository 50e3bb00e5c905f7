import { showName } from '../../kernel/untrusted-text.ts'

const mostMs = 500
const longestDiff = 256 * 1024

/** A unified diff of two states of a file with three lines around each change; null where that would take too long or be too large. */
export async function unifiedDiff(path: string, before: string, after: string): Promise<string | null> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const options = { context: 3, timeout: mostMs, headerOptions: FILE_HEADERS_ONLY }
  const name = showName(path, 300)
  const diff = createTwoFilesPatch(name, name, before, after, undefined, undefined, options)
  return diff === undefined || diff.length > longestDiff ? null : diff
}
