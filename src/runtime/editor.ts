import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { envValue } from '../config/find.ts'
import type { Env } from '../config/env.ts'
import { OpenClawError } from '../kernel/errors.ts'

/** A private copy of a file that an editor works on. */
export interface EditorCopy {
  readonly path: string
  /** Runs the editor on the copy and returns what it holds afterwards. INPUT_INVALID when the editor fails. */
  edit(): Promise<string>
  discard(): Promise<void>
}

/** The editor that the user has chosen: `$VISUAL`, `$EDITOR`, else vi. */
export function editorCommand(env: Env): string {
  return (
    envValue(env, 'VISUAL') ?? envValue(env, 'EDITOR') ?? (process.platform === 'win32' ? 'notepad' : 'vi')
  )
}

/** Puts a text where only the user can read it, under the name of its file, so that the editor knows the format. */
export async function openCopy(file: string, text: string, env: Env): Promise<EditorCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'openclaw-edit-'))
  const path = join(directory, basename(file))
  await writeFile(path, text, { mode: 0o600 })
  const command = editorCommand(env)
  return {
    path,
    edit: async () => {
      // Through the shell, because people put arguments into these variables.
      const child =
        process.platform === 'win32'
          ? spawn(`${command} "${path}"`, { shell: true, stdio: 'inherit' })
          : spawn('sh', ['-c', `${command} "$1"`, 'sh', path], { stdio: 'inherit' })
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
      return readFile(path, 'utf8')
    },
    discard: () => rm(directory, { recursive: true, force: true }),
  }
}
