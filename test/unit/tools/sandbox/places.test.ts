import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OpenClawError } from '../../../../src/kernel/errors.ts'
import type { CommandWish, Places } from '../../../../src/tools/place.ts'
import { openPlaces } from '../../../../src/tools/sandbox/places.ts'
import { whyNotShared } from '../../../../src/tools/sandbox/protect.ts'
import { tempDir } from '../../../helpers/run-cli.ts'
import { hostOf, whyNoSandbox } from '../../../helpers/sandbox.ts'
import { open } from '../../policy/open.ts'

const why = await whyNoSandbox()
const reason = why === null ? '' : ` (skipped: ${why})`

interface Asked {
  readonly sandbox?: object
  readonly exec?: object
  readonly allowed?: boolean
  readonly session?: string
  readonly workspace?: (home: string) => string
  readonly path?: string
}

/** The places of a session, and its home. */
async function placesOf({
  sandbox,
  exec,
  allowed = false,
  session,
  workspace,
  path,
}: Asked): Promise<{ home: string; places: Places }> {
  const home = await tempDir({ '.openclaw/openclaw.json': '{}' })
  const config = {
    agents: { defaults: { sandbox } },
    tools: { exec, elevated: { allowFrom: allowed ? { telegram: ['*'] } : {} } },
  }
  const { view } = open({ config })
  const host = hostOf(home, path === undefined ? {} : { env: { PATH: path } })
  const context = { agentId: 'main', channel: 'telegram', sender: { id: '1' }, peer: null }
  const places = openPlaces({
    view: () => view,
    workspace: workspace?.(home) ?? join(home, '.openclaw', 'workspace'),
    host,
    elevated: async () => ({ context, words: { session } }),
  })
  return { home, places }
}

async function endOf(work: Promise<unknown>): Promise<string> {
  const end: unknown = await work.catch((error: unknown) => error)
  if (end instanceof OpenClawError) return `${end.code} ${end.message}`
  const { kind, elevated } = end as { readonly kind: string; readonly elevated?: string }
  return `${kind}${elevated === undefined ? '' : ` ${elevated}`}`
}

const all = { mode: 'all' }

describe('where commands run', () => {
  test.each<[string, Asked, CommandWish, string]>([
    ['nothing is sandboxed', {}, {}, 'host off'],
    ['nothing is, and a call names a host', {}, { host: 'gateway' }, 'host off'],
    [
      'a sandbox that the session has not',
      { exec: { host: 'sandbox' } },
      {},
      'TOOL_UNAVAILABLE exec is to run in a sandbox, and this session has none',
    ],
    [
      'a call asks for such a one',
      {},
      { host: 'sandbox' },
      'TOOL_UNAVAILABLE exec is to run in a sandbox, and this session has none',
    ],
    [
      'a node',
      { exec: { host: 'node' } },
      {},
      'TOOL_UNAVAILABLE exec is to run on a node, and no node is paired',
    ],
    [
      'another than is configured',
      { exec: { host: 'gateway' } },
      { host: 'sandbox' },
      'TOOL_DENIED exec may not choose host "sandbox" here: tools.exec.host is "gateway"',
    ],
    ['the one that is', { exec: { host: 'gateway' }, sandbox: all }, { host: 'gateway' }, 'host off'],
    [
      'out of a sandbox',
      { sandbox: all },
      { host: 'gateway' },
      'TOOL_DENIED exec may not choose host "gateway" here: the session runs in a sandbox',
    ],
    [
      'out of a sandbox to a node',
      { sandbox: all },
      { host: 'node' },
      'TOOL_DENIED exec may not choose host "node" here: the session runs in a sandbox',
    ],
    ['elevated by the call, allowed', { sandbox: all, allowed: true }, { elevated: true }, 'host ask'],
    ['elevated by the session', { sandbox: all, allowed: true, session: 'full' }, {}, 'host full'],
    [
      'the call may do without',
      { exec: { host: 'gateway' }, allowed: true, session: 'full' },
      { elevated: false },
      'host off',
    ],
    [
      'elevated to the named host',
      { sandbox: all, allowed: true },
      { elevated: true, host: 'gateway' },
      'host ask',
    ],
    [
      'elevated to a node',
      { sandbox: all, allowed: true, exec: { host: 'node' } },
      { elevated: true },
      'TOOL_UNAVAILABLE exec is to run on a node, and no node is paired',
    ],
    [
      'elevated, not allowed',
      { sandbox: all },
      { elevated: true },
      'TOOL_DENIED elevated is not available to this sender: allowFrom (tools.elevated.allowFrom.telegram)',
    ],
    [
      'no sandbox on this machine',
      { sandbox: all, path: '/nowhere' },
      {},
      'TOOL_UNAVAILABLE this session runs in a sandbox, and there is none: bubblewrap is not installed (no bwrap on the PATH)',
    ],
    [
      'docker without an image',
      { sandbox: { ...all, backend: 'docker' } },
      {},
      'TOOL_UNAVAILABLE this session runs in a sandbox, and there is none: no image is named for docker',
    ],
    [
      'docker that is not there',
      { sandbox: { ...all, backend: 'docker', docker: { image: 'x' } }, path: '/nowhere' },
      {},
      'TOOL_UNAVAILABLE this session runs in a sandbox, and there is none: docker is not installed',
    ],
  ])('%s', async (_name, asked, wish, expected) => {
    const { places } = await placesOf(asked)
    expect(await endOf(places.commands(wish))).toBe(expected)
  })

  test('whoever may not leave is told what can be done', async () => {
    const { places } = await placesOf({ sandbox: all })
    await expect(places.commands({ elevated: true })).rejects.toMatchObject({
      hints: [
        'leave out elevated: the command then runs where the session runs',
        'openclaw sandbox explain shows every gate',
      ],
    })
  })

  test('files never fall back to the host either, elevated or not', async () => {
    const { places } = await placesOf({ sandbox: all, path: '/nowhere', allowed: true, session: 'full' })
    expect(await endOf(places.commands({}))).toBe('host full')
    expect(await endOf(places.files())).toMatch(/^TOOL_UNAVAILABLE/)
  })
})

describe.skipIf(why !== null)(`the sandbox of a session${reason}`, () => {
  test.each([
    ['none', 'sandboxes/agent-main-f331f052/workspace', true],
    ['ro', 'workspace', false],
    ['rw', 'workspace', true],
  ])('workspace %s', async (workspaceAccess, dir, writable) => {
    const { home, places } = await placesOf({ sandbox: { ...all, workspaceAccess } })
    const place = await places.files()
    const root = join(realpathSync(home), '.openclaw', dir)
    expect(place).toMatchObject({
      kind: 'sandbox',
      backend: 'bubblewrap',
      cwd: root,
      roots: [{ dir: root, writable }],
    })
    expect(await places.commands({})).toMatchObject({ kind: 'sandbox', cwd: root, elevated: 'off' })
  })

  test.each([
    ['session', 'agent-main-main-'],
    ['agent', 'agent-main-f331f052'],
    ['shared', 'shared-'],
  ])('scope %s', async (scope, name) => {
    const { places } = await placesOf({ sandbox: { ...all, scope } })
    expect((await places.files()).cwd).toContain(`/sandboxes/${name}`)
  })

  test('a command outside of its directories is refused before it runs', async () => {
    const { home, places } = await placesOf({ sandbox: all })
    const place = await places.commands({})
    const command = { file: 'true', args: [], env: {} }
    expect(() => place.wrap({ ...command, cwd: home })).toThrow('is not in the sandbox')
    expect(() => place.wrap({ ...command, cwd: '..' })).toThrow('is not in the sandbox')
    expect(place.wrap({ ...command, cwd: place.cwd }).args).toContain('--unshare-net')
  })

  test.each<[string, (home: string) => string, string]>([
    ['the home', (home) => home, 'contains the home directory'],
    ['what is above it', () => '/', 'contains the home directory'],
    ['the state', (home) => join(home, '.openclaw'), 'contains the state directory'],
    ['a part of it', (home) => join(home, '.openclaw', 'agents'), 'is a part of the state directory'],
    ['keys', (home) => join(home, '.ssh', 'x'), 'holds keys'],
    ['the system', () => '/usr/share', 'is a part of the system'],
    ['a link to the home', (home) => join(home, 'link'), 'contains the home directory'],
  ])('%s is no workspace for a sandbox', async (_name, workspace, words) => {
    const { home, places } = await placesOf({ sandbox: { ...all, workspaceAccess: 'rw' }, workspace })
    mkdirSync(join(home, '.ssh', 'x'), { recursive: true })
    symlinkSync(home, join(home, 'link'))
    expect(await endOf(places.files())).toContain(words)
  })

  test('nor is what holds the config, nor may such a directory be read', async () => {
    const { home, places } = await placesOf({ sandbox: { ...all, paths: [homedir()] } })
    expect(await endOf(places.files())).toContain('contains the home directory')
    const project = join(home, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'openclaw.json'), '{}')
    const host = hostOf(home, { configFiles: [join(project, 'openclaw.json')] })
    expect(whyNotShared(realpathSync(project), host)).toContain('contains the config')
    expect(whyNotShared(realpathSync(project), hostOf(home))).toBeNull()
  })
})
