import { basename } from 'node:path'
import { ApprovalStore } from '../calls/approvals/store.ts'
import { agentIds, requireAgentId } from '../config/agents.ts'
import { envValue, findHome, findStateDir, type FindOptions } from '../config/find.ts'
import { loadConfig } from '../config/load.ts'
import type { Config } from '../config/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { shellQuote } from '../policy/fixes/edits.ts'
import { addEntry, listEntries, removeEntries, type OwnedEntry } from '../tools/exec-approvals/allowlist.ts'
import { approvalsFile, filePolicy, readApprovals } from '../tools/exec-approvals/file.ts'
import { newEntry } from '../tools/exec-approvals/new-pattern.ts'
import { execPolicy } from '../tools/exec-approvals/policy.ts'
import type { AllowlistEntry } from '../tools/exec-approvals/types.ts'

/** An entry of the allowlist for commands as answers show it; times are ISO, null where the file does not say. */
export interface AllowlistItem {
  /** `*` is every agent. */
  readonly agent: string
  readonly pattern: string
  readonly argPattern: string | null
  readonly id: string | null
  readonly source: string | null
  readonly approvalId: string | null
  readonly addedAt: string | null
  readonly lastUsedAt: string | null
  readonly lastUsedCommand: string | null
  readonly lastResolvedPath: string | null
}

/** The answer of `approvals allowlist list`. */
export interface Allowlist {
  readonly file: string
  readonly items: readonly AllowlistItem[]
}

/** The answer of `approvals allowlist add`. */
export interface AddedEntry {
  readonly file: string
  readonly entry: AllowlistItem
  /** False where it was there already. */
  readonly added: boolean
  /** What its author should know of it. */
  readonly notes: readonly string[]
}

/** The answer of `approvals allowlist remove`. */
export interface RemovedEntries {
  readonly file: string
  readonly removed: readonly AllowlistItem[]
}

const everyAgent = '*'

function isoTime(time: unknown): string | null {
  return typeof time === 'number' && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function item({ agent, entry, approvalId }: OwnedEntry): AllowlistItem {
  return {
    agent,
    pattern: entry.pattern,
    argPattern: textOf(entry.argPattern),
    id: textOf(entry.id),
    source: textOf(entry.source),
    approvalId,
    addedAt: isoTime(entry.addedAt),
    lastUsedAt: isoTime(entry.lastUsedAt),
    lastUsedCommand: textOf(entry.lastUsedCommand),
    lastResolvedPath: textOf(entry.lastResolvedPath),
  }
}

function places(options: FindOptions): { readonly stateDir: string; readonly home: string } {
  const home = options.home ?? findHome(options.env, options.cwd)
  return { home, stateDir: findStateDir(options, home) }
}

/** The agent whose entries are meant: one of the config, or one that the file still speaks of. UNKNOWN_AGENT. */
async function ownerOf(options: FindOptions, agent: string | undefined): Promise<string | undefined> {
  if (agent === undefined || agent === everyAgent) return agent
  if (listEntries(places(options).stateDir, agent).length > 0) return agent
  return requireAgentId((await loadConfig(options)).config, agent)
}

/** Lists the programs that commands may start, for one agent or for all as the file has them. Errors: CONFIG_INVALID for a damaged file, UNKNOWN_AGENT. */
export async function listAllowed(options: FindOptions, agent: string | undefined): Promise<Allowlist> {
  const { stateDir } = places(options)
  const owner = await ownerOf(options, agent)
  return { file: approvalsFile(stateDir), items: listEntries(stateDir, owner).map(item) }
}

/** Lets commands start a program, for one agent or for every one. Errors: INPUT_INVALID for what could never fit, UNKNOWN_AGENT, those of the config and of every write. */
export async function allowProgram(
  options: FindOptions,
  wanted: {
    readonly pattern: string
    readonly argPattern: string | undefined
    readonly asWritten: boolean
    readonly agent: string | undefined
  },
): Promise<AddedEntry> {
  const { stateDir, home } = places(options)
  const { config } = await loadConfig(options)
  const asked = wanted.agent ?? everyAgent
  const agent = asked === everyAgent ? asked : requireAgentId(config, asked)
  const { pattern, argPattern, asWritten } = wanted
  const path = envValue(options.env, 'PATH') ?? ''
  const { entry, notes } = newEntry({ text: pattern, argPattern, asWritten, cwd: options.cwd, path, home })
  const told = [...notes, ...notesOnPolicy(config, stateDir, agent)]
  const { owned, added } = await addEntry(stateDir, agent, entry, Date.now())
  return { file: approvalsFile(stateDir), entry: item(owned), added, notes: told }
}

/** Whether the list decides anything for those whom the entry is for. Errors as `filePolicy`, before anything is written. */
function notesOnPolicy(config: Config, stateDir: string, agent: string): readonly string[] {
  const file = readApprovals(stateDir)
  const agents = agent === everyAgent ? agentIds(config) : [agent]
  const policies = agents.map((each) => execPolicy(config, each, filePolicy(file, each)))
  const [first] = policies
  if (first === undefined || policies.some(({ security }) => security !== first.security)) return []
  const { security, securityFrom } = first
  if (security === 'deny') return [`no command runs at all while ${securityFrom.path} says so`]
  if (security === 'allowlist') return []
  return ['every command may run now: the list counts where tools.exec.mode is allowlist, ask or auto']
}

/** Removes entries by id or pattern, or by the program that one stands for, and takes back the answers that had added them. INPUT_INVALID where there is none. */
export async function disallowProgram(
  options: FindOptions,
  selector: string,
  { agent, argPattern }: { readonly agent: string | undefined; readonly argPattern: string | undefined },
): Promise<RemovedEntries> {
  const { stateDir, home } = places(options)
  const owner = await ownerOf(options, agent)
  const meant = selector.trim()
  const patterns = new Set([meant, patternOf(meant, options, home)])
  const known = listEntries(stateDir, owner)
  const isMeant = ({ id, pattern, argPattern: own }: AllowlistEntry): boolean =>
    (id === meant || patterns.has(pattern.trim())) && (argPattern === undefined || own === argPattern)
  if (!known.some(({ entry }) => isMeant(entry))) throw unknownEntry(meant, known)
  const removed = await removeEntries(stateDir, owner, isMeant)
  takeBack(stateDir, removed)
  return { file: approvalsFile(stateDir), removed: removed.map(item) }
}

/** The pattern that `add` would have made of the same words; the words where they mean no program here. */
function patternOf(text: string, { env, cwd }: FindOptions, home: string): string {
  const path = envValue(env, 'PATH') ?? ''
  try {
    return newEntry({ text, argPattern: undefined, asWritten: false, cwd, path, home }).entry.pattern
  } catch {
    return text
  }
}

function unknownEntry(selector: string, known: readonly OwnedEntry[]): OpenClawError {
  const patterns = [...new Set(known.map(({ entry }) => entry.pattern))]
  const names = new Set(
    suggest(
      selector,
      patterns.map((each) => basename(each)),
    ),
  )
  const byName = patterns.filter((each) => basename(each) === selector || names.has(basename(each)))
  const near = [...new Set([...byName, ...suggest(selector, patterns)])].slice(0, 3)
  return new OpenClawError('INPUT_INVALID', `no entry "${showName(selector, 200)}" is on the allowlist`, {
    hints: [
      ...near.map((each) => `openclaw approvals allowlist remove ${shellQuote(each)}`),
      'openclaw approvals allowlist list',
    ],
    data: { entry: selector, suggestions: near },
  })
}

/** Answers for always whose last entry is gone; what they say would not hold any more. */
function takeBack(stateDir: string, removed: readonly OwnedEntry[]): void {
  const left = new Set(listEntries(stateDir, undefined).map(({ approvalId }) => approvalId))
  const over = new Set(removed.flatMap(({ approvalId }) => (left.has(approvalId) ? [] : (approvalId ?? []))))
  const store = new ApprovalStore(stateDir, Date.now)
  for (const { id, state } of store.list()) if (state === 'always' && over.has(id)) store.decide(id, 'deny')
}
