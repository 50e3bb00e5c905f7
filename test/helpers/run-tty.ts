import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { projectRoot } from './project.ts'
import { isolatedEnv } from './run-cli.ts'

/** Whether this machine has util-linux's `script`, which gives a program a terminal. */
export const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Runs `openclaw …` on a terminal of so many columns and returns what it showed, line ends as `\n`; stdout and stderr are one there. */
export async function runTty(
  args: readonly string[],
  options: {
    readonly home: string
    readonly columns?: number
    readonly env?: Readonly<Record<string, string>>
  },
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const program = [process.execPath, `${projectRoot}bin/run.js`, ...args].map(quoted).join(' ')
  const command = `stty cols ${options.columns ?? 80} rows 24; exec ${program}`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: options.home,
    env: { ...isolatedEnv(options.home), TERM: 'xterm-256color', ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
  })
  let screen = ''
  child.stdout.on('data', (chunk: Buffer) => (screen += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, screen: screen.replaceAll('\r\n', '\n') }
}

/** Runs `openclaw …` on a terminal and types an answer as soon as the screen shows the question. */
export async function runAnswered(
  args: readonly string[],
  { home }: { readonly home: string },
  question: string,
  answer: string,
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const program = [process.execPath, `${projectRoot}bin/run.js`, ...args].map(quoted).join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', `exec ${program}`, '/dev/null'], {
    cwd: home,
    env: { ...isolatedEnv(home), TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 30_000,
  })
  let screen = ''
  let isAnswered = false
  child.stdout.on('data', (chunk: Buffer) => {
    screen += String(chunk)
    if (isAnswered || !screen.includes(question)) return
    isAnswered = true
    child.stdin.write(answer)
  })
  const [code] = await once(child, 'close')
  return { code, screen: screen.replaceAll('\r\n', '\n') }
}
