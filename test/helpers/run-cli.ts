import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { projectRoot } from './project.ts'

/** How a run of the built program ended; `code` is null if a signal ended it. */
export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  /** Variables on top of the isolated environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Working directory; else the home directory of the run. */
  readonly cwd?: string
  /** Home directory; else a new empty one, removed after the test. */
  readonly home?: string
  readonly stdin?: string
  /** Longest run in milliseconds; the run is killed after it. */
  readonly limit?: number
}

/** A new directory that is removed after the test, with the given files in it. */
export async function tempDir(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'openclaw-test-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  return dir
}

/** The environment of a run: nothing of the tester's own settings, no colour, a home of its own. */
export function isolatedEnv(home: string): NodeJS.ProcessEnv {
  return {
    PATH: `${projectRoot}node_modules/.bin:${process.env.PATH ?? ''}`,
    HOME: home,
    USERPROFILE: home,
    TMPDIR: tmpdir(),
    NODE_COMPILE_CACHE: join(tmpdir(), 'openclaw-test-compile-cache'),
  }
}

/** Runs `openclaw …` from the build, with the project's own Node, in an isolated home, and waits for its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const home = options.home ?? (await tempDir())
  const child = spawn(process.execPath, [`${projectRoot}bin/run.js`, ...args], {
    cwd: options.cwd ?? home,
    env: { ...isolatedEnv(home), ...options.env },
    timeout: options.limit ?? 30_000,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A child that ends without reading its input closes the pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(options.stdin ?? '')
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.once('error', reject)
  child.once('close', resolve)
  const code = await promise
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }
}

/** Runs with `--json` and parses stdout, which has to be exactly one JSON value. */
export async function runJson(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult & { readonly json: unknown }> {
  const result = await runCli([...args, '--json'], options)
  return { ...result, json: JSON.parse(result.stdout) }
}
