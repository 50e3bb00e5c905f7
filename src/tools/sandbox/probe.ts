import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { PlannedCommand } from '../place.ts'
import type { BubblewrapFeatures } from './bubblewrap.ts'

const run = promisify(execFile)
const limitMs = 10_000

/** How a program that was started for a try ended. */
export interface Trial {
  readonly ok: boolean
  readonly stdout: string
  /** What it said, or why it could not be started. */
  readonly problem: string
}

/** Starts a program for a try and waits for its end, ten seconds at most. */
export async function attempt({ file, args, cwd, env }: PlannedCommand): Promise<Trial> {
  try {
    const { stdout } = await run(file, [...args], {
      cwd,
      env: { ...env },
      timeout: limitMs,
      killSignal: 'SIGKILL',
    })
    return { ok: true, stdout, problem: '' }
  } catch (error) {
    return { ok: false, stdout: '', problem: problemOf(error) }
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : ''
  const [first = ''] = said.split('\n')
  if (first !== '') return first
  return 'killed' in error && error.killed === true ? 'it did not end' : error.message
}

/** What a bubblewrap can do, by what it says of itself. */
export async function bubblewrapFeatures(program: string): Promise<BubblewrapFeatures> {
  const { stdout } = await attempt({ file: program, args: ['--help'], cwd: '/', env: {} })
  return { disableUserns: stdout.includes('--disable-userns'), size: stdout.includes('--size ') }
}

/** What may keep namespaces from being made, by what the kernel says. */
export function namespaceHints(): readonly string[] {
  const is = (file: string, value: string): boolean => {
    try {
      return readFileSync(`/proc/sys/${file}`, 'utf8').trim() === value
    } catch {
      return false
    }
  }
  return [
    ...(is('user/max_user_namespaces', '0')
      ? ['allow user namespaces: sysctl user.max_user_namespaces=16384']
      : []),
    ...(is('kernel/unprivileged_userns_clone', '0')
      ? ['allow user namespaces: sysctl kernel.unprivileged_userns_clone=1']
      : []),
    ...(is('kernel/apparmor_restrict_unprivileged_userns', '1')
      ? [
          'let AppArmor allow bubblewrap: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for bwrap',
        ]
      : []),
  ]
}
