import { stableJson } from '../../kernel/stable-json.ts'
import type { CodingToolOptions } from '../options.ts'
import type { BrowserSession } from './session.ts'

/** Milliseconds after which a browser that nobody uses is ended. */
const idleMs = 15 * 60_000

/** Browsers that outlive the runs of their sessions, one for each session. */
export interface BrowserShelf {
  /** The browser of a session; another one where the config says something else of browsers than when it was made. */
  of(options: CodingToolOptions, make: () => BrowserSession): BrowserSession
  /** Ends all of them. */
  close(): Promise<void>
}

interface Kept {
  readonly session: BrowserSession
  readonly rules: string
  timer: NodeJS.Timeout
}

/** Makes an empty shelf; nothing is loaded before a browser is needed. */
export function browserShelf(longestIdleMs = idleMs): BrowserShelf {
  const kept = new Map<string, Kept>()
  const later = (id: string, session: BrowserSession): NodeJS.Timeout =>
    setTimeout(() => {
      kept.delete(id)
      void session.stop()
    }, longestIdleMs).unref()
  return {
    of: ({ view }, make) => {
      const { config, context } = view()
      const id = JSON.stringify([context.agentId, context.sessionKey])
      const rules = stableJson(config.browser ?? null)
      const known = kept.get(id)
      if (known !== undefined) clearTimeout(known.timer)
      if (known?.rules === rules) {
        known.timer = later(id, known.session)
        return known.session
      }
      void known?.session.stop()
      const session = make()
      kept.set(id, { session, rules, timer: later(id, session) })
      return session
    },
    close: async () => {
      const all = [...kept.values()]
      kept.clear()
      for (const { timer } of all) clearTimeout(timer)
      await Promise.all(all.map(({ session }) => session.stop()))
    },
  }
}
