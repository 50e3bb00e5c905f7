import { boolean, option, string } from '@oclif/core/flags'
import type { InferredFlags } from '@oclif/core/interfaces'
import { OpenClawError } from '../kernel/errors.ts'
import type { Sender } from '../policy/context.ts'
import type { SessionRequest } from '../sessions/request.ts'
import { defineFlags } from './flags.ts'

const helpGroup = 'SESSION'

/** Flags of every command that answers for one session (contract §2). */
export const sessionFlags = defineFlags({
  agent: string({ helpGroup, helpValue: 'ID', summary: 'Agent; else the default one.' }),
  session: string({ helpGroup, helpValue: 'KEY', summary: 'Session key; else agent:<agent>:main.' }),
  provider: string({ helpGroup, helpValue: 'ID', summary: 'Model provider.' }),
  model: string({ helpGroup, helpValue: 'ID', summary: 'Model, also as provider/model.' }),
  channel: string({ helpGroup, helpValue: 'ID', summary: 'Channel the message came through.' }),
  account: string({ helpGroup, helpValue: 'ID', summary: 'Account of that channel.' }),
  sender: string({
    helpGroup,
    helpValue: 'KIND:VALUE',
    summary: 'Sender as id:…, e164:…, username:… or name:…',
  }),
  owner: boolean({ helpGroup, allowNo: true, summary: 'Whether the sender owns the session.' }),
  group: string({ helpGroup, helpValue: 'ID', summary: 'Group chat.' }),
  thread: string({ helpGroup, helpValue: 'ID', summary: 'Thread or topic in it.' }),
  sandboxed: boolean({ helpGroup, allowNo: true, summary: 'Whether the session runs in the sandbox.' }),
  'spawned-by': string({ helpGroup, helpValue: 'KEY', summary: 'Session that spawned this one.' }),
  'tools-allow': string({
    helpGroup,
    helpValue: 'NAME,…',
    multiple: true,
    summary: 'Cap of this run, repeatable; an empty value means no tools.',
  }),
  harness: option({ options: ['openclaw', 'codex'] as const })({
    helpGroup,
    summary: 'Harness that runs the model.',
  }),
  context: string({
    helpGroup,
    helpValue: 'FILE',
    summary: 'Context file (JSON5, - for stdin); single flags win over it.',
  }),
  inventory: string({
    helpGroup,
    helpValue: 'FILE',
    summary: 'Tools that exist (JSON5, - for stdin), instead of those installed here.',
  }),
  set: string({
    helpGroup,
    helpValue: 'PATH=VALUE',
    multiple: true,
    summary: 'Change the config for this answer only; repeatable.',
  }),
  unset: string({
    helpGroup,
    helpValue: 'PATH',
    multiple: true,
    summary: 'Remove a config entry for this answer only; repeatable.',
  }),
  replay: string({
    helpGroup,
    helpValue: 'FILE',
    summary: 'Snapshot of `openclaw tools snapshot` to start from.',
  }),
})

const senderKinds = ['id', 'e164', 'username', 'name'] as const

function readSender(text: string): Sender {
  const colon = text.indexOf(':')
  const kind = senderKinds.find((name) => name === text.slice(0, colon))
  const value = text.slice(colon + 1)
  if (colon > 0 && kind && value !== '') return { [kind]: value }
  throw new OpenClawError('USAGE', `--sender: expected KIND:VALUE, got "${text}"`, {
    hints: senderKinds.map((name) => `--sender ${name}:${colon < 0 && text !== '' ? text : '…'}`),
  })
}

function readNames(text: string): string[] {
  return text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

/** Splits at the first `=` outside brackets, because a quoted key may hold one: `tools.byProvider["a=b"].profile=full`. */
function readAssignment(text: string): { path: string; value: string } {
  const [, path, value] =
    /^((?:\[(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\]])*\]|[^=[])+)=(.*)$/s.exec(text) ?? []
  if (path !== undefined && value !== undefined) return { path, value }
  throw new OpenClawError('USAGE', `--set: expected PATH=VALUE, got "${text}"`, {
    hints: ["--set 'tools.profile=coding'"],
  })
}

/** Turns the session flags of a command into one plain request; throws USAGE for a malformed `--sender` or `--set`. */
export function toSessionRequest(flags: InferredFlags<typeof sessionFlags>): SessionRequest {
  return {
    agent: flags.agent,
    session: flags.session,
    provider: flags.provider,
    model: flags.model,
    channel: flags.channel,
    account: flags.account,
    sender: flags.sender === undefined ? undefined : readSender(flags.sender),
    owner: flags.owner,
    group: flags.group,
    thread: flags.thread,
    sandboxed: flags.sandboxed,
    spawnedBy: flags['spawned-by'],
    toolsAllow: flags['tools-allow']?.flatMap(readNames),
    harness: flags.harness,
    contextFile: flags.context,
    inventoryFile: flags.inventory,
    replayFile: flags.replay,
    set: (flags.set ?? []).map(readAssignment),
    unset: flags.unset ?? [],
  }
}
