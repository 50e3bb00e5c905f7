import { findAgent } from '../../config/agents.ts'
import type { Config } from '../../config/types.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import type { Sender } from '../../policy/context.ts'
import { normalizeChannel } from '../../policy/layers/sender.ts'
import { matchesSender, type AllowEntry } from './allow-from.ts'

/** How exec may leave the sandbox: not, with the approvals it needs anyway, or without them where both policies are full and off. */
export type ElevatedLevel = 'off' | 'ask' | 'full'

/** A gate that does not let elevated pass, and the config path that decides it. */
export interface ElevatedFailure {
  readonly gate: 'enabled' | 'provider' | 'allowFrom'
  readonly key: string
}

/** What elevated is in a session. */
export interface ResolvedElevated {
  readonly enabled: boolean
  /** Whether this sender may have it. */
  readonly allowed: boolean
  /** `off` unless it is allowed. */
  readonly level: ElevatedLevel
  readonly failures: readonly ElevatedFailure[]
}

/** Who is in a session, from trusted context: never from the text of a message. */
export interface ElevatedContext {
  readonly agentId: string
  readonly channel: string | null
  readonly sender: Sender | null
  /** The other side of a direct chat, as its session key names it. */
  readonly peer: string | null
}

/** Words that were said about the level, each as it was written. */
export interface ElevatedWords {
  /** Of this message alone. */
  readonly directive?: string | undefined
  /** Of the session. */
  readonly session?: string | undefined
}

/** The level that a word means; `on` is another word for `ask`, undefined for a word that is none. */
export function readLevel(word: string | undefined): ElevatedLevel | undefined {
  if (word === 'on' || word === 'ask') return 'ask'
  return word === 'off' || word === 'full' ? word : undefined
}

/**
 * Whether elevated may be used and at which level (policy facts §8): enabled unless the global or the agent's switch says no; the channel has to be
 * known; the global list of the channel must name the sender, and the agent's, too, where it has one, so that an agent can only narrow. The level is
 * that of the message, else of the session, else `agents.defaults.elevatedDefault`, else off. Pure.
 */
export function resolveElevated(
  config: Config,
  context: ElevatedContext,
  words: ElevatedWords = {},
): ResolvedElevated {
  const agent = findAgent(config, context.agentId)
  const scopes: {
    readonly path: Path
    readonly elevated: ElevatedConfig | undefined
    readonly isGlobal: boolean
  }[] = [
    { path: ['tools', 'elevated'], elevated: config.tools?.elevated, isGlobal: true },
    ...(agent === undefined
      ? []
      : [
          {
            path: [...agent.path, 'tools', 'elevated'],
            elevated: agent.config.tools?.elevated,
            isGlobal: false,
          },
        ]),
  ]
  const switches = scopes.filter(({ elevated }) => elevated?.enabled === false)
  const failures: ElevatedFailure[] = switches.map(({ path }) => failure('enabled', [...path, 'enabled']))
  const channel = context.channel === null ? null : normalizeChannel(context.channel)
  if (channel === null) failures.push(failure('provider', ['tools', 'elevated', 'allowFrom']))
  else {
    for (const { path, elevated, isGlobal } of scopes) {
      if (!isGlobal && elevated?.allowFrom === undefined) continue
      const entries = listOf(elevated?.allowFrom, channel)
      if (!matchesSender(entries, { ...context, channel }))
        failures.push(failure('allowFrom', [...path, 'allowFrom', channel]))
    }
  }
  const allowed = failures.length === 0
  const { directive, session } = words
  const wanted =
    readLevel(directive) ?? readLevel(session) ?? readLevel(config.agents?.defaults?.elevatedDefault) ?? 'off'
  return { enabled: switches.length === 0, allowed, level: allowed ? wanted : 'off', failures }
}

type ElevatedConfig = NonNullable<NonNullable<Config['tools']>['elevated']>

/** The list of a channel, however its key is spelled; a missing one is empty, and refuses. */
function listOf(lists: ElevatedConfig['allowFrom'], channel: string): readonly AllowEntry[] {
  const key = Object.keys(lists ?? {}).find((each) => normalizeChannel(each) === channel)
  return key === undefined ? [] : (lists?.[key] ?? [])
}

function failure(gate: ElevatedFailure['gate'], path: Path): ElevatedFailure {
  return { gate, key: formatPath(path) }
}
