import { jsonResult } from '../../calls/model-text.ts'
import { agentKey } from '../../config/agents.ts'
import { words } from '../../tool-search/tokenize.ts'
import type { CoreTool } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { eventsOf, lastMessages, redactorOf, saidMessage } from './messages.ts'
import { kindOf, sessionRow } from './rows.ts'
import type { SeenStored, SessionShelf } from './store.ts'
import { visibilityOf } from './visibility.ts'

const usualRows = 50
const usualMessages = 50
const usualHits = 10
/** Sessions that one search reads, and events of each. */
const mostSessions = 200
const mostEvents = 5_000

/** `sessions_list`: the sessions in sight, pinned ones first, then the latest. */
export function sessionsList(options: CodingToolOptions, shelf: SessionShelf): CoreTool {
  return {
    run: async (args) => {
      const { kinds, agentId, label, activeMinutes, limit, messageLimit, includeArchived } = args
      const since = typeof activeMinutes === 'number' ? options.clock() - activeMinutes * 60_000 : null
      const all = await shelf.visible()
      const found = all
        .filter(
          ({ agentId: agent, key, entry }) =>
            (includeArchived === true || entry.archived !== true) &&
            (!Array.isArray(kinds) || kinds.includes(kindOf(key))) &&
            (typeof agentId !== 'string' || agentKey(agent) === agentKey(agentId)) &&
            (typeof label !== 'string' || (entry.label ?? '').toLowerCase().includes(label.toLowerCase())) &&
            (since === null || (entry.updatedAt ?? 0) >= since),
        )
        .toSorted((a, b) => Number(b.entry.pinned ?? false) - Number(a.entry.pinned ?? false))
      const rows = found.slice(0, typeof limit === 'number' ? limit : usualRows)
      const redactor = redactorOf(shelf.view)
      const sessions: object[] = []
      for (const session of rows) {
        const running = options.services.sessions?.isRunning(session.key) ?? false
        const row = { ...sessionRow(session, running), running }
        if (typeof messageLimit !== 'number' || messageLimit === 0) sessions.push(row)
        else {
          const reading = { limit: messageLimit, includeTools: false }
          const { messages } = lastMessages(await readable(session), redactor, reading)
          sessions.push({ ...row, messages })
        }
      }
      return {
        result: jsonResult({
          sessions,
          total: found.length,
          visibility: visibilityOf(shelf.view),
          ...problemsOf(shelf),
        }),
      }
    },
  }
}

/** `sessions_history`: the last messages of a session in sight, without what is nobody else's business. */
export function sessionsHistory(shelf: SessionShelf): CoreTool {
  return {
    run: async ({ sessionKey, limit, includeTools }) => {
      const session = await shelf.find(String(sessionKey))
      const reading = {
        limit: typeof limit === 'number' ? limit : usualMessages,
        includeTools: includeTools === true,
      }
      const said = lastMessages(await readable(session), redactorOf(shelf.view), reading)
      return { result: jsonResult({ sessionKey: session.key, ...said }) }
    },
  }
}

/** `sessions_search`: the messages in sight that hold most of the words, the latest first among equals. */
export function sessionsSearch(shelf: SessionShelf): CoreTool {
  return {
    run: async ({ query, sessionKey, limit }, { signal }) => {
      const wanted = stemsOf(String(query))
      const redactor = redactorOf(shelf.view)
      const sessions = typeof sessionKey === 'string' ? [await shelf.find(sessionKey)] : await shelf.visible()
      const hits: { readonly score: number; readonly at: string; readonly hit: object }[] = []
      for (const session of sessions.slice(0, mostSessions)) {
        signal.throwIfAborted()
        for (const event of (await readable(session)).slice(-mostEvents)) {
          const message = saidMessage(event, redactor, false)
          if (message === null || message.role === 'toolResult') continue
          const there = stemsOf(message.text)
          const score = [...wanted].filter((stem) => there.has(stem)).length
          if (score === 0) continue
          const { role, at } = message
          const text = passage(message.text, wanted)
          hits.push({ score, at: at ?? '', hit: { sessionKey: session.key, role, at, text } })
        }
      }
      const best = hits.toSorted((a, b) => b.score - a.score || (a.at < b.at ? 1 : -1))
      const shown = best.slice(0, typeof limit === 'number' ? limit : usualHits)
      const skipped = Math.max(0, sessions.length - mostSessions)
      return {
        result: jsonResult({
          hits: shown.map(({ hit }) => hit),
          total: hits.length,
          sessionsNotRead: skipped,
          ...problemsOf(shelf),
        }),
      }
    },
  }
}

/** What is missing because a store cannot be read. */
function problemsOf({ problems }: SessionShelf): { readonly problems?: readonly string[] } {
  return problems.length > 0 ? { problems } : {}
}

async function readable({ stored }: SeenStored) {
  return stored === null ? [] : eventsOf(stored)
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(words(text).map(({ whole }) => whole))
}

const passageLength = 400

/** The part of a text around the first word that was looked for. */
function passage(text: string, wanted: ReadonlySet<string>): string {
  if (text.length <= passageLength) return text
  const word = words(text).find(({ whole }) => wanted.has(whole))?.text ?? ''
  const at = Math.max(0, text.toLowerCase().indexOf(word) - passageLength / 4)
  const end = at + passageLength
  return `${at > 0 ? '… ' : ''}${text.slice(at, end)}${end < text.length ? ' …' : ''}`
}
