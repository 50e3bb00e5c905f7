import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isatty } from 'node:tty'
import { envValue } from '../config/find.ts'
import type { Env } from '../config/env.ts'
import { OpenClawError } from '../kernel/errors.ts'

/** A private copy of a file that an editor works on. */
export interface EditorCopy {
  readonly path: string
  /** Runs the editor on the copy and returns what it holds afterwards. INPUT_INVALID when the editor fails. */
  edit(): Promise<string>
  /** Whether it still holds what it was made with. */
  isUntouched(): Promise<boolean>
  discard(): Promise<void>
}

/**
 * The editor that the user has chosen: `$VISUAL`, `$EDITOR`, else vi. INPUT_INVALID when vi would have no terminal to read
 * keys from or to show the text on: behind `2>&1 | cat` it would wait for keys, unseen.
 */
export function editorCommand(env: Env): string {
  const chosen = envValue(env, 'VISUAL') ?? envValue(env, 'EDITOR')
  if (chosen !== null) return chosen
  if (process.platform === 'win32') return 'notepad'
  if (isatty(0) && (isatty(1) || isatty(2))) return 'vi'
  throw new OpenClawError('INPUT_INVALID', 'no terminal to edit in; nothing was written', {
    hints: ['name an editor that needs none with $VISUAL or $EDITOR, or use openclaw config patch'],
  })
}

/** Puts a text where only the user can read it, under the name of its file, so that the editor knows the format. */
export async function openCopy(file: string, text: string, env: Env): Promise<EditorCopy> {
  const command = editorCommand(env)
  const directory = await mkdtemp(join(tmpdir(), 'openclaw-edit-'))
  const path = join(directory, basename(file))
  await writeFile(path, text, { mode: 0o600 })
  return {
    path,
    edit: async () => {
      // Only the answer may go into a pipe; what the editor says goes where messages go.
      const stdio: StdioOptions = ['inherit', isatty(1) ? 'inherit' : 2, 'inherit']
      // Through the shell, because people put arguments into these variables.
      const child =
        process.platform === 'win32'
          ? spawn(`${command} "${path}"`, { shell: true, stdio })
          : spawn('sh', ['-c', `${command} "$1"`, 'sh', path], { stdio })
      const [code]: unknown[] = await once(child, 'exit')
      if (code !== 0) {
        throw new OpenClawError(
          'INPUT_INVALID',
          `the editor ${command} ended with ${String(code)}; nothing was written`,
          {
            hints: ['choose another one with $VISUAL or $EDITOR'],
          },
        )
      }
      try {
        return await readFile(path, 'utf8')
      } catch {
        throw new OpenClawError(
          'INPUT_INVALID',
          `the editor ${command} left no file that can be read; nothing was written`,
          { hints: ['save the file under the name it was opened with'], data: { file: path } },
        )
      }
    },
    isUntouched: async () => (await readFile(path, 'utf8').catch(() => text)) === text,
    discard: () => rm(directory, { recursive: true, force: true }),
  }
}
