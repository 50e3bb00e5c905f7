import { boolean, option, string } from '@oclif/core/flags'
import type { InferredFlags } from '@oclif/core/interfaces'
import { OpenClawError } from '../kernel/errors.ts'
import { parseModel, parseSender, parseToolsAllow, type SessionRequest } from '../sessions/request.ts'
import { defineFlags, word } from './flags.ts'

const helpGroup = 'SESSION'

/** Flags of every command that answers for one session (contract §2). */
export const sessionFlags = defineFlags({
  agent: word({ helpGroup, helpValue: 'ID', summary: 'Agent; else the default one.' }),
  session: word({ helpGroup, helpValue: 'KEY', summary: 'Session key; else agent:<agent>:main.' }),
  provider: word({ helpGroup, helpValue: 'ID', summary: 'Model provider.' }),
  model: string({ helpGroup, helpValue: 'ID', summary: 'Model, also as provider/model.' }),
  channel: word({ helpGroup, helpValue: 'ID', summary: 'Channel the message came through.' }),
  account: word({ helpGroup, helpValue: 'ID', summary: 'Account of that channel.' }),
  sender: string({
    helpGroup,
    helpValue: 'KIND:VALUE',
    summary: 'Sender as id:…, e164:…, username:… or name:…',
  }),
  owner: boolean({ helpGroup, allowNo: true, summary: 'Whether the sender owns the session.' }),
  group: word({ helpGroup, helpValue: 'ID', summary: 'Group chat.' }),
  thread: word({ helpGroup, helpValue: 'ID', summary: 'Thread or topic in it.' }),
  sandboxed: boolean({ helpGroup, allowNo: true, summary: 'Whether the session runs in the sandbox.' }),
  'spawned-by': word({ helpGroup, helpValue: 'KEY', summary: 'Session that spawned this one.' }),
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
  context: word({
    helpGroup,
    helpValue: 'FILE',
    summary: 'Context file (JSON5, - for stdin); single flags win over it.',
  }),
  inventory: word({
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
  unset: word({
    helpGroup,
    helpValue: 'PATH',
    multiple: true,
    summary: 'Remove a config entry for this answer only; repeatable.',
  }),
  replay: word({
    helpGroup,
    helpValue: 'FILE',
    summary: 'Snapshot of `openclaw tools snapshot` to start from.',
  }),
})

/** Flag of commands about tools that may ask the MCP servers instead of relying on what was seen last. */
export const connectFlag = defineFlags({
  connect: boolean({
    summary: 'Start and ask the MCP servers now.',
    exclusive: ['inventory', 'replay'],
  }),
})

/** Flag of the commands that can answer for every agent at once. */
export const allAgentsFlag = defineFlags({
  'all-agents': boolean({ helpGroup, summary: 'Answer for the main session of every agent.' }),
})

/** Whether to answer for every agent. One agent and all of them cannot both be typed; a variable that says one of the two gives way to what was typed. */
export function wantsAllAgents(
  flags: Readonly<Record<string, unknown>>,
  isTyped: (flag: string) => boolean,
): boolean {
  if (flags['all-agents'] !== true) return false
  const one = ['agent', 'session'].find(isTyped)
  if (one === undefined) return true
  if (!isTyped('all-agents')) return false
  throw new OpenClawError('USAGE', `--all-agents and --${one} contradict each other`, {
    hints: ['leave out one of them'],
  })
}

/** Whose tools a command is about: the flags as one request, and where the rest of the case comes from. */
export interface SessionQuery {
  readonly request: SessionRequest
  /** JSON5 files, `-` for stdin: a context, an inventory, a snapshot of `tools snapshot`. */
  readonly contextFile: string | undefined
  readonly inventoryFile: string | undefined
  readonly replayFile: string | undefined
  /** Changes of the config for this answer only, in the order typed; values are JSON5 or else plain text. */
  readonly set: readonly { readonly path: string; readonly value: string }[]
  readonly unset: readonly string[]
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

/** Drops undefined fields: a later request wins with every key it has. */
function onlyGiven(request: SessionRequest): SessionRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined))
}

/** Turns the session flags of a command into one plain query; throws USAGE for a malformed `--sender`, `--model` or `--set`. */
export function toSessionQuery(flags: InferredFlags<typeof sessionFlags>): SessionQuery {
  const { model, sender, 'tools-allow': toolsAllow } = flags
  return {
    request: onlyGiven({
      agentId: flags.agent,
      sessionKey: flags.session,
      provider: flags.provider,
      ...(model !== undefined && (flags.provider === undefined ? parseModel(model) : { model })),
      channel: flags.channel,
      accountId: flags.account,
      groupId: flags.group,
      threadId: flags.thread,
      sender: sender === undefined ? undefined : parseSender(sender),
      isOwner: flags.owner,
      sandboxed: flags.sandboxed,
      spawnedBy: flags['spawned-by'],
      toolsAllow: toolsAllow?.flatMap(parseToolsAllow),
      harness: flags.harness,
    }),
    contextFile: flags.context,
    inventoryFile: flags.inventory,
    replayFile: flags.replay,
    set: (flags.set ?? []).map(readAssignment),
    unset: flags.unset ?? [],
  }
}
