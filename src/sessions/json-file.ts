import { rename, rm, writeFile } from 'node:fs/promises'
import { systemFailure } from '../kernel/system-error.ts'

/** Replaces a file by a value as JSON, whole or not at all, readable for its owner alone; two that may do so at once hold its lock. Error: TOOL_FAILED with what the system says. */
export async function replaceJsonFile(file: string, value: unknown): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw systemFailure(error, 'TOOL_FAILED', file) ?? error
  }
}
