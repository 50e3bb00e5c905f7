import { readdirSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { Args, ToolResult } from '../../src/calls/types.ts'
import { openCommandTools } from '../../src/tools/commands/open.ts'
import type { CommandDetails } from '../../src/tools/commands/report.ts'
import type { CodingToolOptions } from '../../src/tools/options.ts'
import type { Session } from '../unit/policy/open.ts'
import { callTool, familyOptions } from './tool-family.ts'

/** A result of exec or process as tests look at it. */
export interface Told extends Pick<CommandDetails, 'status' | 'exitCode' | 'signal' | 'tail' | 'cwd'> {
  readonly text: string
  readonly details: CommandDetails
  readonly sessionId: string
}

/** The shell tools of one run, which ends with the test. */
export interface Shell {
  readonly options: CodingToolOptions
  exec(command: string, more?: Args, signal?: AbortSignal): Promise<Told>
  process(action: string, sessionId?: string, more?: Args): Promise<Told>
  end(): Promise<void>
}

/** Opens exec and process for a session, with the PATH of the tests. */
export async function openShell(
  session: Session = {},
  more: Partial<CodingToolOptions> = {},
): Promise<Shell> {
  const options = await familyOptions(session, { env: { PATH: process.env['PATH'] }, ...more })
  const family = openCommandTools(options)
  const end = async (): Promise<void> => family.close?.()
  onTestFinished(end)
  return {
    options,
    end,
    exec: async (command, args = {}, signal = undefined) =>
      told(await callTool(family, 'exec', { command, ...args }, signal)),
    process: async (action, sessionId, args = {}) =>
      told(
        await callTool(family, 'process', { action, ...(sessionId !== undefined && { sessionId }), ...args }),
      ),
  }
}

function told({ content, details }: ToolResult): Told {
  const [block] = content
  const known = details as CommandDetails
  const { status, exitCode, signal, tail, cwd, sessionId = '' } = known
  const text = block?.type === 'text' ? block.text : ''
  return { text, details: known, status, exitCode, signal, tail, cwd, sessionId }
}

/** Ids of living processes whose command line has a text in it. */
export function livingWith(text: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      // A killed process that nobody has reaped yet has no command line any more.
      return line.includes(text) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

let sleeps = 0

/** A `sleep` that no other test has, to be looked for by its text. */
export function uniqueSleep(): string {
  sleeps += 1
  return `sleep ${86_000 + (process.pid % 997)}.${String(Date.now()).slice(-7)}${sleeps}`
}
