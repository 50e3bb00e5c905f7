import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Config } from '../../src/config/types.ts'
import type { PlannedCommand, Root } from '../../src/tools/place.ts'
import { chooseBackend, type SandboxHost } from '../../src/tools/sandbox/backend.ts'
import { bubblewrapped } from '../../src/tools/sandbox/bubblewrap.ts'
import { sandboxFiles } from '../../src/tools/sandbox/files.ts'
import { findProgram } from '../../src/tools/programs.ts'
import { bubblewrapFeatures } from '../../src/tools/sandbox/probe.ts'
import { sandboxSettings, type SandboxSettings } from '../../src/tools/sandbox/settings.ts'
import { systemParts } from '../../src/tools/sandbox/system.ts'
import { onTestFinished } from 'vitest'

/** Sandbox settings as a config would give them. */
export function settingsOf(sandbox: object = {}): SandboxSettings {
  const config = { agents: { defaults: { sandbox: { mode: 'all', ...sandbox } } } }
  // Tests write configs as literals; the schema has its own tests.
  return sandboxSettings(config as Config, 'main')
}

/** This machine as a sandbox is made on it, with a home that is gone after the test. */
export function hostOf(home: string, more: Partial<SandboxHost> = {}): SandboxHost {
  return {
    stateDir: join(home, '.openclaw'),
    homeDir: home,
    configFiles: [join(home, '.openclaw', 'openclaw.json')],
    env: process.env,
    uid: process.geteuid?.() ?? 0,
    gid: process.getegid?.() ?? 0,
    platform: process.platform,
    ...more,
  }
}

/** Why there is no bubblewrap sandbox on this machine; null where there is one. */
export async function whyNoSandbox(): Promise<string | null> {
  const dir = mkdtempSync(join(tmpdir(), 'openclaw-probe-'))
  try {
    const found = await chooseBackend(settingsOf({ backend: 'bubblewrap' }), hostOf(dir))
    return found.name === null ? found.reason : null
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** How a command in a sandbox ended. */
export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Who starts a sandbox: the user of the tests, or nobody special. */
export type Starter = 'self' | 'nobody'

export const nobody = 65_534

const closed: StdioOptions = ['ignore', 'pipe', 'pipe']

/** A sandbox with a workspace, and files of its host that nobody in it may reach. */
export interface TestSandbox {
  readonly home: string
  readonly workspace: string
  readonly secret: string
  readonly start: (
    script: string,
    more?: { readonly env?: Record<string, string>; readonly stdio?: StdioOptions },
  ) => ChildProcess
  readonly run: (
    script: string,
    more?: { readonly env?: Record<string, string>; readonly stdio?: StdioOptions },
  ) => Promise<Ended>
}

/** Makes a sandbox as a run would, for root also as another user would have it. */
export async function testSandbox(starter: Starter, sandbox: object = {}): Promise<TestSandbox> {
  // Not below /tmp, which a sandbox has of its own, so that what it writes there would prove nothing.
  const dir = mkdtempSync('/var/tmp/openclaw-test-')
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const workspace = join(dir, '.openclaw', 'workspace')
  const secret = join(dir, '.ssh', 'id_ed25519')
  const files = {
    [secret]: 'TOP-SECRET',
    [join(dir, '.openclaw', 'openclaw.json')]: 'TOP-SECRET',
    [join(dir, '.openclaw', 'sandboxes', 'other', 'file')]: 'TOP-SECRET',
    [join(workspace, 'own.txt')]: 'mine',
  }
  const [uid, gid] =
    starter === 'self' ? [process.geteuid?.() ?? 0, process.getegid?.() ?? 0] : [nobody, nobody]
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const host = hostOf(dir, { uid, gid })
  const settings = settingsOf({ limits: { processes: 64, memoryMb: 256, tmpMb: 8, fileMb: 8 }, ...sandbox })
  const roots: readonly Root[] = [{ dir: workspace, writable: true }]
  const wrap = await wrapper(starter, host, settings, roots)
  if (starter === 'nobody') {
    await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, dir])
    chownSync(dir, uid, gid)
  }
  chmodSync(dir, 0o755)
  const start: TestSandbox['start'] = (script, { env = {}, stdio = closed } = {}) => {
    const planned = wrap({
      file: '/bin/bash',
      args: ['-c', script],
      cwd: workspace,
      env: {
        PATH: process.env.PATH ?? '',
        HOST_SECRET: 'TOP-SECRET',
        SECRET_FILE: secret,
        HOME_DIR: dir,
        ...env,
      },
    })
    const { file, args, cwd } = planned
    return spawn(file, [...args], { cwd, env: { ...planned.env }, stdio, detached: true })
  }
  return {
    home: dir,
    workspace,
    secret,
    start,
    run: async (script, more) => {
      const child = start(script, more)
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (data: Buffer) => (output += data.toString()))
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
      clearTimeout(timer)
      return { code, output }
    },
  }
}

async function wrapper(
  starter: Starter,
  host: SandboxHost,
  settings: SandboxSettings,
  roots: readonly Root[],
): Promise<(command: PlannedCommand) => PlannedCommand> {
  // Handed down by this program, so it stays outside.
  const env = { ...host.env, HOST_SECRET: 'TOP-SECRET' }
  if (starter === 'self') {
    const backend = await chooseBackend(settings, { ...host, env })
    if (backend.name === null) throw new Error(backend.reason)
    return (command) => backend.wrap({ key: host.stateDir, roots, settings }, command)
  }
  const program = findProgram('bwrap', process.env.PATH) ?? 'bwrap'
  const plan = {
    program,
    features: await bubblewrapFeatures(program),
    uid: host.uid,
    gid: host.gid,
    roots,
    network: settings.network,
    readable: [],
    system: systemParts(settings.network),
    files: sandboxFiles(host.stateDir, host.uid, host.gid),
    limits: settings.limits,
    cgroups: [],
  }
  return (command) => {
    const { file, args, ...rest } = bubblewrapped(plan, command, env)
    const as = ['--reuid', String(host.uid), '--regid', String(host.gid), '--clear-groups', '--', file]
    return { file: 'setpriv', args: [...as, ...args], ...rest, env: { PATH: process.env.PATH ?? '' } }
  }
}
