import { agentIds, defaultAgentId, findAgent, listAgents } from '../../config/agents.ts'
import type { Config } from '../../config/types.ts'
import { correctionMs, durationMs } from './times.ts'

type Settings = NonNullable<NonNullable<NonNullable<Config['agents']>['defaults']>['heartbeat']>

/** The heartbeat of an agent as the config has it. */
export interface HeartbeatPlan {
  readonly agentId: string
  readonly everyMs: number
  readonly prompt: string
  readonly settings: Settings
}

/** What an agent answers when there is nothing to say. */
export const heartbeatOk = 'HEARTBEAT_OK'

const usualPrompt = `This is a heartbeat: nobody has asked you anything. If there is a HEARTBEAT.md in your workspace, read it and do what it says; do not go on with old conversations. Then say with heartbeat_respond how it went, or answer ${heartbeatOk} if there is nothing to say.`

const usualAckChars = 300

/** The heartbeats of a config: those of agents that have settings of their own if any has, else that of the default agent. Pure. */
export function heartbeatPlans(config: Config): readonly HeartbeatPlan[] {
  const shared = config.agents?.defaults?.heartbeat
  const own = listAgents(config).filter((agent) => agent.config.heartbeat !== undefined)
  const ids = own.length > 0 ? own.map(({ id }) => id) : shared === undefined ? [] : [defaultAgentId(config)]
  const known = new Set(agentIds(config))
  return ids.flatMap((agentId): HeartbeatPlan[] => {
    const settings: Settings = { ...shared, ...findAgent(config, agentId)?.config.heartbeat }
    const everyMs = settings.every === undefined ? null : durationMs(settings.every)
    if (everyMs === null || everyMs <= 0 || !known.has(agentId)) return []
    return [{ agentId, everyMs: Math.max(everyMs, 1_000), prompt: settings.prompt ?? usualPrompt, settings }]
  })
}

/** Whether heartbeats may happen at a time; hours that end before they begin go over midnight. Unreadable hours are no limit. Pure. */
export function isActive({ activeHours }: Settings, nowMs: number): boolean {
  const from = minutesOf(activeHours?.start ?? '00:00')
  const to = minutesOf(activeHours?.end ?? '24:00')
  if (activeHours === undefined || from === null || to === null || from === to) return true
  const now = localMinutes(nowMs, activeHours.timezone)
  return from < to ? now >= from && now < to : now >= from || now < to
}

/** What an answer has to say besides that all is well; null for nothing. Pure. */
export function wordsBeyondOk(text: string, ackMaxChars = usualAckChars): string | null {
  const trimmed = text.trim()
  if (!trimmed.includes(heartbeatOk)) return trimmed === '' ? null : trimmed
  const isAtEdge = trimmed.startsWith(heartbeatOk) || /HEARTBEAT_OK[.!*_`]*$/.test(trimmed)
  const rest = trimmed.replaceAll(heartbeatOk, '').replace(/^[\s.!*_`:-]+|[\s*_`:-]+$/g, '')
  return isAtEdge && rest.length <= ackMaxChars ? null : rest === '' ? null : rest
}

/** Whether a HEARTBEAT.md asks for nothing: headings, comments and empty items alone. Pure. */
export function asksNothing(markdown: string): boolean {
  return markdown
    .replace(/<!--[\s\S]*?-->/g, '')
    .split('\n')
    .every((line) => /^\s*(?:#.*|[-*+]\s*(?:\[[ x]?\])?\s*)?$/i.test(line))
}

function minutesOf(text: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)$/.exec(text.trim()) ?? []
  if (hours === undefined || minutes === undefined) return null
  const sum = Number(hours) * 60 + Number(minutes)
  return sum <= 24 * 60 && Number(minutes) < 60 ? sum : null
}

function localMinutes(nowMs: number, timezone: string | undefined): number {
  const isOwn = timezone === undefined || timezone === 'user' || timezone === 'local'
  let format: Intl.DateTimeFormat
  try {
    format = clockOf(isOwn ? undefined : timezone)
  } catch {
    format = clockOf(undefined)
  }
  const [hours = '0', minutes = '0'] = format.format(new Date(nowMs)).split(':')
  return (Number(hours) % 24) * 60 + Number(minutes)
}

function clockOf(timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
    ...(timeZone && { timeZone }),
  })
}

/** When the heartbeats of agents are due, from when they are first asked for on. Times that were missed are one heartbeat. */
export class HeartbeatClock {
  readonly #next = new Map<string, { readonly atMs: number; readonly everyMs: number }>()
  #seenMs = Number.NEGATIVE_INFINITY

  /** Those that are due; `next` says when they are due again. */
  due(plans: readonly HeartbeatPlan[], nowMs: number): readonly HeartbeatPlan[] {
    const known = new Set(plans.map(({ agentId }) => agentId))
    const isSetBack = nowMs < this.#seenMs - correctionMs
    this.#seenMs = nowMs
    for (const agentId of this.#next.keys()) if (!known.has(agentId)) this.#next.delete(agentId)
    return plans.filter(({ agentId, everyMs }) => {
      const next = this.#next.get(agentId)
      // Another interval, or a clock that was set back: count from now on.
      if (next === undefined || next.everyMs !== everyMs || isSetBack) {
        this.next(agentId, everyMs, nowMs + everyMs)
        return false
      }
      return next.atMs <= nowMs
    })
  }

  /** Sets when the heartbeat of an agent is due. */
  next(agentId: string, everyMs: number, atMs: number): void {
    this.#next.set(agentId, { atMs, everyMs })
  }

  /** When the next of them is due; null where none is. */
  get wakeMs(): number | null {
    const times = [...this.#next.values()].map(({ atMs }) => atMs)
    return times.length === 0 ? null : Math.min(...times)
  }
}
