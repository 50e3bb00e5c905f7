import { OpenClawError } from '../../../src/kernel/errors.ts'

/** The error a user would see: its code, the message, then what to do. */
export function told(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof OpenClawError) return [error.code, error.message, ...error.hints].join(' | ')
    throw error
  }
  return 'no error'
}
