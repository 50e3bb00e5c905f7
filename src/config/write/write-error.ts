import { OpenClawError } from '../../kernel/errors.ts'
import { reasonOf } from '../../kernel/system-error.ts'

/** Makes a failed file operation a CONFIG_READONLY error that says what could not be done and what is as it was: the config, unless another file was meant. */
export function writeError(
  error: unknown,
  file: string,
  action: string,
  unchanged = 'the config',
): OpenClawError {
  if (error instanceof OpenClawError) return error
  const { code, problem, hint } = reasonOf(error)
  return new OpenClawError(
    'CONFIG_READONLY',
    `cannot ${action} ${file}: ${problem}; ${unchanged} is as it was`,
    {
      hints: [hint],
      data: { file, ...(code !== '' && { cause: code }) },
      cause: error,
    },
  )
}
