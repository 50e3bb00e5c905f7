import { redactText } from '../../config/redact.ts'
import { cleanLine, cleanText } from '../../kernel/untrusted-text.ts'
import type { WantedApproval } from '../../plugins/hooks.ts'
import { shellQuote } from '../../policy/fixes/edits.ts'
import { troublesOf, type Examined, type NewEntry } from './found.ts'
import type { ExecPolicy } from './policy.ts'
import type { Review } from './review.ts'
import type { RememberedCommands } from './remembered.ts'
import type { CommandDenial, CommandQuestion, Layer } from './types.ts'

/** Milliseconds a question about a command waits (policy facts §8). */
const promptMs = 30 * 60_000
const longestCommand = 300

/** Who asks, as answers are bound to it. */
export const askedBy = 'exec-approvals'

const where = ({ name, path }: Layer): string =>
  name === 'config'
    ? `the config (${path})`
    : name === 'call'
      ? `the call itself (${path})`
      : `exec-approvals.json (${path})`

/** The question to a person about a command. */
export function wantedApproval(
  question: CommandQuestion,
  found: Examined,
  policy: ExecPolicy,
  agentId: string,
  reviewed: Review | null,
): WantedApproval {
  const command = cleanText(redactText(question.command), longestCommand)
  const troubles = troublesOf(found)
  const said = reviewed?.reason ? `; the reviewer would rather ask: ${reviewed.reason}` : ''
  const why =
    troubles.length > 0 ? troubles.join('; ') + said : `${where(policy.askFrom)} has every command asked for`
  const lenient = policy.askFallback === 'full' || (policy.askFallback === 'allowlist' && found.satisfied)
  const lasting = policy.ask !== 'always'
  const remember = lasting ? remembered(found, agentId, command) : null
  return {
    pluginId: askedBy,
    title: cleanLine(`Run ${nameOfLine(found, command)}`, 80),
    description: cleanText([command, `in ${question.workdir}`, ...alwaysText(remember), why].join('\n'), 512),
    severity: found.puzzles.length > 0 ? 'critical' : 'warning',
    timeoutMs: promptMs,
    timeoutBehavior: lenient ? 'allow' : 'deny',
    lasting,
    ...(remember !== null && { remember: { ...remember } }),
  }
}

/** What a lasting yes would mean, for whoever is asked. */
function alwaysText(remember: RememberedCommands | null): readonly string[] {
  const entries = remember?.entries ?? []
  const names = entries.map(({ pattern, argPattern }) =>
    argPattern === undefined ? pattern : `${pattern} with just these arguments`,
  )
  return names.length === 0 ? [] : [cleanLine(`always allows ${names.join(', ')} to this agent`, 160)]
}

function nameOfLine({ misses }: Examined, command: string): string {
  const names = [...new Set(misses.map(({ name }) => name))]
  return names.length > 0 ? names.join(', ') : command
}

/** What a lasting yes adds; null where it can only stand for the same call, since a part of the line has nothing that could be kept. */
function remembered(found: Examined, agentId: string, command: string): RememberedCommands | null {
  const entries = found.misses.flatMap(({ entry }) => entry ?? [])
  if (found.puzzles.length > 0 || entries.length === 0 || entries.length < found.misses.length) return null
  const keys = new Set<string>()
  const unique = entries.filter((entry) => {
    const key = JSON.stringify(entry)
    return !keys.has(key) && keys.add(key)
  })
  return { kind: 'exec-allowlist', agentId, entries: unique, command }
}

const change: Readonly<Record<Layer['name'], string>> = {
  config: 'openclaw config get tools.exec',
  'exec-approvals':
    'edit exec-approvals.json in the state directory; the stricter of it and the config holds',
  call: 'leave security out of the call',
}

/** The no of a policy that lets no command run on this machine; it names who said so (report openclaw#64361). */
export function refused(from: Layer): CommandDenial {
  return {
    verdict: 'deny',
    reason: `commands are denied on this machine by ${where(from)}`,
    layer: from.name,
    hints: [change[from.name]],
  }
}

/** The command that would allow a program for an agent. */
function addCommand({ pattern, argPattern }: NewEntry, agentId: string): string {
  const words = [
    pattern,
    '--agent',
    agentId,
    ...(argPattern === undefined ? [] : ['--arg-pattern', argPattern]),
  ]
  return `openclaw approvals allowlist add ${words.map(shellQuote).join(' ')}`
}

/** The no to a line that is not allowed, where nobody is to be asked. */
export function missed(found: Examined, { securityFrom }: ExecPolicy, agentId: string): CommandDenial {
  const [entry] = found.misses.flatMap((miss) => miss.entry ?? [])
  return {
    verdict: 'deny',
    reason: `not on the allowlist, which ${where(securityFrom)} demands: ${troublesOf(found).slice(0, 5).join('; ')}`,
    layer: securityFrom.name,
    hints: [
      ...(entry === undefined ? [] : [addCommand(entry, agentId)]),
      securityFrom.path.endsWith('.mode')
        ? `openclaw config set ${securityFrom.path} ask`
        : 'openclaw config set tools.exec.ask on-miss',
    ],
  }
}
