import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import JSON5 from 'json5'
import { runCli, runJson, tempDir, type CliResult } from './run-cli.ts'

/** A home directory with a state directory in it, and the program run there. */
export interface ConfigHome {
  readonly home: string
  /** Path of a file in the state directory. */
  path(name: string): string
  /** Text of a file in the state directory, null when it is not there. */
  text(name?: string): string | null
  /** Its value as JSON5. */
  value(name?: string): unknown
  run(args: readonly string[], env?: Readonly<Record<string, string>>, stdin?: string): Promise<CliResult>
  json(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    stdin?: string,
  ): Promise<CliResult & { readonly json: unknown }>
}

/** Makes a home whose state directory holds the given files; the config is `openclaw.json`. */
export async function configHome(files: Readonly<Record<string, string>>): Promise<ConfigHome> {
  const home = await tempDir(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`.openclaw/${name}`, text])),
  )
  const path = (name: string): string => join(home, '.openclaw', name)
  const text = (name = 'openclaw.json'): string | null =>
    existsSync(path(name)) ? readFileSync(path(name), 'utf8') : null
  return {
    home,
    path,
    text,
    value: (name) => JSON5.parse(text(name) ?? 'null'),
    run: (args, env = {}, stdin = '') => runCli(args, { home, env, stdin }),
    json: (args, env = {}, stdin = '') => runJson(args, { home, env, stdin }),
  }
}
