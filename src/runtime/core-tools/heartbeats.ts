import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanText } from '../../kernel/untrusted-text.ts'
import { mainSessionKey } from '../../sessions/target.ts'
import {
  asksNothing,
  HeartbeatClock,
  heartbeatPlans,
  isActive,
  wordsBeyondOk,
  type HeartbeatPlan,
} from '../../tools/automation/heartbeat.ts'
import type { HeartbeatOutcome } from '../../tools/automation/service.ts'
import type { RuntimeHost } from '../gateway/host.ts'
import { workspaceOf } from '../tool-context.ts'
import { placeOf, sendFrom } from './messages.ts'
import { saveSession } from './session-entry.ts'

/** Milliseconds after which clock and config are looked at again. */
const lookMs = 15_000
const busyMs = 60_000
const soonestMs = 50

/** Runs the heartbeats of a Gateway: agents look around although nobody asks them, and say how it went. */
export class Heartbeats {
  readonly #host: RuntimeHost
  readonly #isBusy: (sessionKey: string) => boolean
  readonly #clock = new HeartbeatClock()
  /** Sessions with a heartbeat under way, with what their agents have said about it. */
  readonly #underWay = new Map<string, { outcome: HeartbeatOutcome | null }>()
  readonly #runs = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | null = null
  #isOn = false

  constructor(host: RuntimeHost, isBusy: (sessionKey: string) => boolean) {
    this.#host = host
    this.#isBusy = isBusy
  }

  start(): void {
    this.#isOn = true
    this.#look()
  }

  async close(): Promise<void> {
    this.#isOn = false
    if (this.#timer !== null) clearTimeout(this.#timer)
    await Promise.allSettled(this.#runs)
  }

  /** Keeps what an agent says of the heartbeat that is under way in its session; false where none is. */
  respond(sessionKey: string, outcome: HeartbeatOutcome): boolean {
    const beat = this.#underWay.get(sessionKey.toLowerCase())
    if (beat === undefined) return false
    beat.outcome = outcome
    return true
  }

  #look(): void {
    if (!this.#isOn) return
    const nowMs = this.#host.parts.clock()
    for (const plan of this.#clock.due(heartbeatPlans(this.#host.current.config), nowMs)) {
      const { agentId, everyMs, settings } = plan
      const sessionKey = this.#sessionOf(plan)
      const isLater = this.#isBusy(sessionKey) || this.#underWay.has(sessionKey.toLowerCase())
      this.#clock.next(agentId, everyMs, nowMs + (isLater ? Math.min(busyMs, everyMs) : everyMs))
      if (isLater || !isActive(settings, nowMs) || this.#isIdle(agentId)) continue
      const run = this.#beat(plan, sessionKey).finally(() => this.#runs.delete(run))
      this.#runs.add(run)
    }
    const { wakeMs } = this.#clock
    const wait = wakeMs === null ? lookMs : Math.min(lookMs, wakeMs - nowMs)
    this.#timer = setTimeout(() => this.#look(), Math.max(soonestMs, wait)).unref()
  }

  #sessionOf({ agentId, settings }: HeartbeatPlan): string {
    const { session } = settings
    const main = mainSessionKey(this.#host.current.config, agentId)
    if (session === undefined || session === 'main') return main
    return session === 'global' || session.startsWith('agent:') ? session : `agent:${agentId}:${session}`
  }

  /** Whether the agent was told that there is nothing to look after. */
  #isIdle(agentId: string): boolean {
    const workspace = workspaceOf(this.#host.current, agentId)
    if (workspace === null) return false
    try {
      return asksNothing(readFileSync(join(workspace, 'HEARTBEAT.md'), 'utf8'))
    } catch {
      return false
    }
  }

  async #beat(plan: HeartbeatPlan, sessionKey: string): Promise<void> {
    const { agentId, prompt, settings, everyMs } = plan
    const { parts, closing } = this.#host
    const key = sessionKey.toLowerCase()
    const beat: { outcome: HeartbeatOutcome | null } = { outcome: null }
    this.#underWay.set(key, beat)
    const at = new Date(parts.clock()).toISOString()
    try {
      const { text } = await this.#host.agent.run({
        agentId,
        sessionKey,
        runId: `heartbeat-${randomUUID().slice(0, 8)}`,
        message: prompt,
        owner: true,
        stream: false,
        emit: () => {},
        signal: closing,
        bounds: { heartbeat: true },
        ...(settings.model !== undefined && { model: settings.model }),
      })
      const outcome = beat.outcome ?? outcomeOf(text, settings.ackMaxChars)
      if (outcome.nextCheckMs !== undefined)
        this.#clock.next(agentId, everyMs, parts.clock() + Math.max(outcome.nextCheckMs, 1_000))
      const delivered = outcome.notify ? await this.#notify(plan, sessionKey, outcome) : null
      await saveSession(this.#host, { agentId, sessionKey }, { heartbeat: { at, ...outcome, delivered } })
    } catch (error) {
      if (closing.aborted) return
      const why = cleanText(error instanceof Error ? error.message : String(error), 500)
      parts.tell(`the heartbeat of ${agentId} failed: ${why}`)
      await saveSession(
        this.#host,
        { agentId, sessionKey },
        { heartbeat: { at, outcome: 'failed', error: why } },
      ).catch(() => {})
    } finally {
      this.#underWay.delete(key)
    }
  }

  /** Sends what a person should hear; false where that failed, null where there is no place for it. */
  async #notify(
    { agentId, settings }: HeartbeatPlan,
    sessionKey: string,
    outcome: HeartbeatOutcome,
  ): Promise<boolean | null> {
    const { target, to = null, accountId = null } = settings
    if (target === undefined || target === 'none') return null
    const { parts, closing } = this.#host
    const text = outcome.notificationText ?? outcome.summary
    try {
      const place =
        target === 'last'
          ? await placeOf(this.#host, { agentId, sessionKey })
          : { channel: target.toLowerCase(), to, accountId }
      if (place === null) return null
      await sendFrom(this.#host, { agentId, sessionKey }, place, { text, signal: closing })
      return true
    } catch (error) {
      parts.tell(
        `what the heartbeat of ${agentId} has to say was not sent: ${error instanceof Error ? error.message : ''}`,
      )
      return false
    }
  }
}

/** What an answer in words says of a heartbeat. */
function outcomeOf(text: string, ackMaxChars: number | undefined): HeartbeatOutcome {
  const words = wordsBeyondOk(text, ackMaxChars)
  if (words === null) return { outcome: 'no_change', notify: false, summary: '' }
  return { outcome: 'needs_attention', notify: true, summary: cleanText(words, 4_000) }
}
