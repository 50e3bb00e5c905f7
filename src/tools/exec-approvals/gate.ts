import { redactText } from '../../config/redact.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine, cleanText } from '../../kernel/untrusted-text.ts'
import type { CodingToolOptions } from '../options.ts'
import type { Examined } from './found.ts'
import { filePolicy, readApprovals, type FilePolicy } from './file.ts'
import { execPolicy, moreDemanding, stricter, type ExecPolicy } from './policy.ts'
import type { Review } from './review.ts'
import { rulesOf } from './rules.ts'
import type { CommandGate, CommandQuestion, CommandVerdict, Layer } from './types.ts'
import { missed, refused, wantedApproval } from './wanted.ts'

export type { CommandDenial, CommandGate, CommandQuestion, CommandVerdict } from './types.ts'

/** What the gate of a run stands on. */
export type GateOptions = Pick<
  CodingToolOptions,
  'view' | 'stateDir' | 'homeDir' | 'env' | 'clock' | 'tell' | 'services'
>

/**
 * Opens the gate that every command of `exec` passes before it runs (policy facts §8). In a sandbox there is nothing to decide: what is not
 * for this machine may run there. On this machine the stricter of config and approvals file holds, and a call can only add to it.
 */
export function openCommandGate(options: GateOptions): CommandGate {
  const reviewed = new Map<string, number>()
  return { judge: (question) => judge(question, { ...options, reviewed }) }
}

/** The gate of a run, with the commands that a model has allowed in it and when. */
interface Gate extends GateOptions {
  readonly reviewed: Map<string, number>
}

async function judge(question: CommandQuestion, options: Gate): Promise<CommandVerdict> {
  if (question.place.kind === 'sandbox') return { verdict: 'run' }
  const { view, stateDir } = options
  const { config, context } = view()
  let file: FilePolicy
  try {
    file = filePolicy(readApprovals(stateDir), context.agentId)
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    return { verdict: 'deny', reason: error.message, layer: 'exec-approvals', hints: error.hints }
  }
  const host = execPolicy(config, context.agentId, file)
  const isOpen = host.security === 'full' && host.ask === 'off'
  if (isOpen && question.place.elevated === 'full') return { verdict: 'run' }
  const policy = withCall(host, question, context.channel !== null)
  if (policy.security === 'deny') return refused(policy.securityFrom)
  if (policy.security === 'full' && policy.ask !== 'always') return { verdict: 'run' }
  return decide(question, policy, file, options)
}

/** What a call asks for makes it stricter; from a channel it cannot bring up questions where this machine asks none. */
function withCall(host: ExecPolicy, { ask, security }: CommandQuestion, isFromChannel: boolean): ExecPolicy {
  const mayAsk = !(isFromChannel && host.ask === 'off')
  const asked = ask !== undefined && mayAsk ? moreDemanding(host.ask, ask) : host.ask
  const secured = security === undefined ? host.security : stricter(host.security, security)
  const fromCall = (path: string): Layer => ({ name: 'call', path })
  return {
    ...host,
    security: secured,
    ask: asked,
    askFallback: stricter(secured, host.askFallback),
    ...(secured !== host.security && { securityFrom: fromCall('security') }),
    ...(asked !== host.ask && { askFrom: fromCall('ask') }),
  }
}

async function decide(
  question: CommandQuestion,
  policy: ExecPolicy,
  file: FilePolicy,
  options: Gate,
): Promise<CommandVerdict> {
  const { view } = options
  const { config, context } = view()
  const rules = rulesOf(config, context.agentId, file, options)
  // Most machines ask nothing, and then need no parser.
  const { examine } = await import('./examine.ts')
  const found = examine(question, rules)
  const isMiss = policy.security === 'allowlist' && !found.satisfied
  if (!isMiss && policy.ask !== 'always') {
    await noteUses(found.used, question.command, options)
    return { verdict: 'run' }
  }
  if (policy.ask === 'off') return missed(found, policy, context.agentId)
  const isReviewed = isMiss && policy.review && policy.ask === 'on-miss'
  const said = isReviewed ? await reviewOf(question, found, options) : null
  if (said?.allows === true) return { verdict: 'run' }
  return { verdict: 'ask', wanted: wantedApproval(question, found, policy, context.agentId, said) }
}

/** Milliseconds for which a model's yes to a command holds in a run, which asks the gate more than once for each. */
const reviewedMs = 10 * 60_000
const mostReviewed = 200

/** What the reviewing model says; its yes is told, and not asked for again at once. */
async function reviewOf(question: CommandQuestion, found: Examined, gate: Gate): Promise<Review | null> {
  const { view, services, clock, tell, reviewed } = gate
  const { command, workdir, path, env } = question
  const key = JSON.stringify([command, workdir, path, env])
  const knownAt = reviewed.get(key)
  if (knownAt !== undefined && Math.abs(clock() - knownAt) < reviewedMs) return { allows: true, reason: '' }
  const { config, context } = view()
  const { review } = await import('./review.ts')
  const said = await review(question, found, config, context.agentId, services.commandReviewer)
  if (said?.allows === true) {
    if (reviewed.size >= mostReviewed) reviewed.clear()
    reviewed.set(key, clock())
    tell(`a reviewing model allowed ${cleanLine(redactText(command), 120)}: ${said.reason}`)
  }
  return said
}

/** Milliseconds for which a noted use is fresh enough; not every command should write a file. */
const notedMs = 60_000
const longestNote = 300

/** Notes which entries were used; a machine where that cannot be written runs the command all the same. */
async function noteUses(
  used: Examined['used'],
  command: string,
  { stateDir, clock }: Pick<GateOptions, 'stateDir' | 'clock'>,
): Promise<void> {
  const now = clock()
  const stale = used.filter(({ entry }) => Math.abs(now - (entry.lastUsedAt ?? 0)) > notedMs)
  if (stale.length === 0) return
  const { noteUse } = await import('./remember.ts')
  await noteUse(stateDir, stale, cleanText(redactText(command), longestNote), now).catch(() => {})
}
