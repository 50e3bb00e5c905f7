import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Args, ToolResult } from '../../src/calls/types.ts'
import { OpenClawError } from '../../src/kernel/errors.ts'
import type { OpenFamily } from '../../src/tools/family.ts'
import type { CodingToolOptions } from '../../src/tools/options.ts'
import { openPlaces } from '../../src/tools/sandbox/places.ts'
import { open, type Session } from '../unit/policy/open.ts'
import { tempDir } from './run-cli.ts'

/** What a family of built-in tools is opened with: a session that is judged as policy tests write it, and a real directory. */
export async function familyOptions(
  session: Session = {},
  more: Partial<CodingToolOptions> = {},
): Promise<CodingToolOptions> {
  const homeDir = await tempDir()
  const stateDir = join(homeDir, '.openclaw')
  const workspace = join(stateDir, 'workspace')
  mkdirSync(workspace, { recursive: true })
  const { view } = open(session)
  return {
    view: () => view,
    runId: 'test',
    workspace,
    stateDir,
    homeDir,
    env: {},
    clock: Date.now,
    tell: () => {},
    places: openPlaces({
      view: () => view,
      workspace,
      host: {
        stateDir,
        homeDir,
        configFiles: [],
        env: process.env,
        platform: process.platform,
        uid: process.geteuid?.() ?? 0,
        gid: process.getegid?.() ?? 0,
      },
      elevated: async () => ({
        context: { agentId: 'main', channel: null, sender: null, peer: null },
        words: {},
      }),
    }),
    services: {},
    ...more,
  }
}

/** Calls a tool of a family as the guarded path would, with arguments that are taken to be valid. */
export async function callTool(
  family: OpenFamily,
  name: string,
  args: Args,
  signal = new AbortController().signal,
): Promise<ToolResult & { readonly failed: boolean }> {
  const tool = family.tools[name]
  if (tool === undefined) throw new Error(`no tool ${name}`)
  const { result, failed = false } = await tool.run(args, { callId: 'c1', signal, onUpdate: () => {} })
  return { ...(result as ToolResult), failed }
}

/** The error that a call ends with. */
export async function failure(call: Promise<unknown>): Promise<OpenClawError> {
  const error: unknown = await call.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof OpenClawError)) throw error
  return error
}
