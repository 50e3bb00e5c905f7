import { findConfig, stdinFile } from '../../config/find.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { openCopy, type EditorCopy } from '../editor.ts'
import { changeConfig, refuseReadOnly, type ChangeOptions, type Outcome, type Plan } from './change.ts'
import { replaceTexts } from './replace-texts.ts'
import { currentText } from './undo.ts'

/** What a config starts as that does not exist yet. */
const emptyConfig = '{}\n'

function replaceBy(file: string, start: string | null, text: string, options: ChangeOptions): Plan {
  return async (loaded) => {
    if ((loaded.document?.text ?? null) !== start) {
      throw new OpenClawError(
        'CONFIG_CONFLICT',
        `${file} was changed while the editor was open; nothing was written`,
        {
          data: { file },
        },
      )
    }
    const files = start === text ? [] : [{ file, before: start, after: text }]
    return { edited: await replaceTexts(loaded, files, options.load) }
  }
}

function withCopy(error: unknown, path: string): unknown {
  if (!(error instanceof OpenClawError)) return error
  return new OpenClawError(error.code, error.message, {
    hints: [...error.hints, `your text is kept in ${path}`],
    data: { ...error.data, copy: path },
    cause: error,
  })
}

/** After an editor that failed: a copy without a change in it goes, since it may hold secrets; any other stays and is named. */
async function leave(copy: EditorCopy, error: unknown): Promise<never> {
  if (!(await copy.isUntouched())) throw withCopy(error, copy.path)
  await copy.discard()
  throw error
}

/**
 * Opens a copy of the config in the user's editor and writes what comes back, once it is valid. After an error `again` is asked
 * whether to go on editing; when not, the copy is kept and the error says where. Errors: INPUT_INVALID when the editor fails,
 * CONFIG_INVALID, CONFIG_CONFLICT when the file changed meanwhile, CONFIG_READONLY.
 */
export async function editConfig(
  options: ChangeOptions,
  again: (error: OpenClawError) => Promise<boolean>,
): Promise<Outcome> {
  const { file } = await findConfig(options.load)
  if (file === stdinFile) {
    throw new OpenClawError('USAGE', 'a config that is read from stdin cannot be edited', {
      hints: ['--config FILE'],
    })
  }
  if (!options.dryRun) refuseReadOnly(options.load)
  const start = currentText(file)
  const copy = await openCopy(file, start ?? emptyConfig, options.load.env)
  for (;;) {
    const text = await copy.edit().catch((error: unknown) => leave(copy, error))
    // An editor that was left without a word has made nothing.
    const isUntouched = text === (start ?? emptyConfig)
    try {
      const plan = replaceBy(file, start, isUntouched && start === null ? emptyConfig : text, options)
      const outcome = await changeConfig(plan, {
        ...options,
        mends: true,
        dryRun: options.dryRun || isUntouched,
      })
      await copy.discard()
      return { ...outcome, result: { ...outcome.result, dryRun: options.dryRun } }
    } catch (error) {
      const isOwn = error instanceof OpenClawError && error.code !== 'CONFIG_READONLY'
      if (!isOwn || error.code === 'CONFIG_CONFLICT' || !(await again(error)))
        throw withCopy(error, copy.path)
    }
  }
}
