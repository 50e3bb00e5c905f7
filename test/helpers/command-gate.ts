import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandQuestion, CommandVerdict } from '../../src/tools/exec-approvals/gate.ts'
import { openCommandGate } from '../../src/tools/exec-approvals/gate.ts'
import type { CodingToolOptions } from '../../src/tools/options.ts'
import { open, type Session } from '../unit/policy/open.ts'
import { tempDir } from './run-cli.ts'

/** A machine whose commands are judged. */
export interface GateHome {
  readonly stateDir: string
  /** Directory of programs of its own, first on the PATH. */
  readonly bin: string
  readonly workdir: string
  readonly path: string
  judge(command: string, more?: Partial<CommandQuestion>): Promise<CommandVerdict>
}

export interface GateHomeOptions extends Partial<Omit<CodingToolOptions, 'view'>> {
  readonly session?: Session
  /** Content of the approvals file; a text is written as it is. */
  readonly approvals?: unknown
}

/** A home for all tests of a file; whoever makes it removes it. */
export function sharedHome(): string {
  return mkdtempSync(join(tmpdir(), 'openclaw-test-'))
}

/** Puts a program that does nothing somewhere. */
export function putProgram(directory: string, name: string, script = 'exit 0'): string {
  mkdirSync(directory, { recursive: true })
  const file = join(directory, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

/** Approvals by which nobody is asked, so that everything is denied but what is on this list. */
export function onlyListed(allowlist: readonly { readonly pattern: string; readonly argPattern?: string }[]) {
  return {
    version: 1,
    defaults: { security: 'allowlist', ask: 'off' },
    agents: { main: { allowlist } },
  }
}

/** A machine with git, mytool and a script of the workspace, and the approvals that are given; `{bin}` and `{ws}` in them are its directories. */
export async function gateHome({
  session = {},
  approvals,
  ...more
}: GateHomeOptions = {}): Promise<GateHome> {
  const homeDir = more.homeDir ?? (await tempDir())
  const [stateDir, bin, workdir] = [join(homeDir, '.openclaw'), join(homeDir, 'bin'), join(homeDir, 'ws')]
  for (const each of [stateDir, workdir]) mkdirSync(each, { recursive: true })
  for (const name of ['git', 'mytool']) putProgram(bin, name)
  putProgram(join(workdir, 'scripts'), 'x.sh')
  const fill = (text: string): string => text.replaceAll('{bin}', bin).replaceAll('{ws}', workdir)
  if (approvals !== undefined) {
    const text = typeof approvals === 'string' ? approvals : JSON.stringify(approvals)
    writeFileSync(join(stateDir, 'exec-approvals.json'), fill(text))
  }
  const { view } = open(session)
  const gate = openCommandGate({
    view: () => view,
    stateDir,
    homeDir,
    env: { HOME: homeDir },
    clock: Date.now,
    tell: () => {},
    services: {},
    ...more,
  })
  const path = `${bin}:/usr/local/bin:/usr/bin:/bin`
  return {
    stateDir,
    bin,
    workdir,
    path,
    judge: (command, question = {}) =>
      gate.judge({
        command: fill(command),
        workdir,
        path,
        place: { kind: 'host', elevated: 'off' },
        ...question,
      }),
  }
}
