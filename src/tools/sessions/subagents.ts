import { jsonResult } from '../../calls/model-text.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { boundsOf } from '../bounds.ts'
import type { CoreTool } from '../family.ts'
import { isActive, type Child } from './child.ts'
import type { SessionDesk } from './desk.ts'
import { eventsOf, lastMessages, redactorOf } from './messages.ts'
import { isoTime, storedStatus } from './rows.ts'
import type { SessionShelf } from './store.ts'

const usualMessages = 20
const usualWaitSeconds = 60
const longestAnswer = 8_000

/** A sub-agent of this session: one of this program, or one that an earlier program left in the store. */
interface Listed {
  readonly number: number
  readonly label: string | null
  readonly sessionKey: string
  readonly status: string
  /** Null for one that this program did not begin. */
  readonly child: Child | null
}

/** `subagents`: what became of the sub-agents of this session, and ways to stop them or tell them something. */
export function subagentsTool(shelf: SessionShelf, desk: SessionDesk): CoreTool {
  return {
    run: async ({ action = 'list', target, message, limit }) => {
      const own = shelf.view.context.sessionKey
      const listed = await list(shelf, desk)
      if (action === 'list') return { result: jsonResult({ subagents: listed.map(row) }) }
      if (action === 'kill' && target === 'all') {
        return { result: jsonResult({ killed: desk.children.killAll(own, 'its parent ended it', 'none') }) }
      }
      const one = pick(listed, target)
      switch (action) {
        case 'info':
          return { result: jsonResult(details(one)) }
        case 'log':
          return {
            result: jsonResult(await log(shelf, one, typeof limit === 'number' ? limit : usualMessages)),
          }
        case 'kill': {
          const killed = desk.children.kill(known(one).runId, 'its parent ended it', 'none')
          return { result: jsonResult({ sessionKey: one.sessionKey, killed: killed ? 1 : 0 }) }
        }
        default: {
          if (typeof message !== 'string') {
            throw new OpenClawError('INPUT_INVALID', `${String(action)} needs a message`)
          }
          const child = known(one)
          if (action === 'steer' && !isActive(child)) {
            throw new OpenClawError(
              'INPUT_INVALID',
              `it has ended (${child.status}), so it cannot be steered`,
              {
                hints: ['action: send goes on with it'],
              },
            )
          }
          const { view } = shelf
          const by = { owner: view.context.isOwner !== false, bounds: boundsOf(view) }
          const { status, runId } = desk.children.tell(child.runId, message, by)
          return { result: jsonResult({ sessionKey: one.sessionKey, runId, status }) }
        }
      }
    },
  }
}

/** `agents_wait`: waits within the turn until sub-agents have ended, and says what came of them. */
export function agentsWait(shelf: SessionShelf, desk: SessionDesk): CoreTool {
  return {
    run: async ({ targets, timeoutSeconds }, { signal }) => {
      const own = shelf.view.context.sessionKey
      const listed = await list(shelf, desk)
      const wanted = Array.isArray(targets)
        ? targets.map((target) => pick(listed, target))
        : listed.filter(({ child }) => child !== null)
      const seconds = typeof timeoutSeconds === 'number' ? timeoutSeconds : usualWaitSeconds
      const runIds = new Set(wanted.map((each) => known(each).runId))
      await desk.waitFor(own, runIds, seconds * 1000, signal)
      const now = desk.children.of(own).filter(({ runId }) => runIds.has(runId))
      const results = now.map((child) => details({ ...child, number: 0, child }))
      return { result: jsonResult({ results, waiting: now.filter(isActive).length }) }
    },
  }
}

async function list(shelf: SessionShelf, desk: SessionDesk): Promise<readonly Listed[]> {
  const own = shelf.view.context.sessionKey.toLowerCase()
  const live = desk.children.of(own)
  const keys = new Set(live.map(({ sessionKey }) => sessionKey.toLowerCase()))
  const older = (await shelf.visible()).filter(
    ({ key, entry }) => entry.spawnedBy?.toLowerCase() === own && !keys.has(key.toLowerCase()),
  )
  const rows = [
    ...live.map((child) => ({ ...child, child })),
    ...older.map(({ key, entry }) => ({
      label: entry.label ?? null,
      sessionKey: key,
      status: storedStatus(entry.status, false) ?? 'unknown',
      child: null,
    })),
  ]
  return rows.map(({ label, sessionKey, status, child }, at) => ({
    number: at + 1,
    label,
    sessionKey,
    status,
    child,
  }))
}

function pick(listed: readonly Listed[], target: unknown): Listed {
  const wanted = String(target ?? '')
    .trim()
    .toLowerCase()
  const found = listed.filter(
    ({ number, label, sessionKey, child }) =>
      wanted !== '' &&
      (String(number) === wanted ||
        label?.toLowerCase() === wanted ||
        sessionKey.toLowerCase() === wanted ||
        child?.runId === wanted),
  )
  const [first, second] = found
  if (first !== undefined && second === undefined) return first
  const what = first === undefined ? 'no sub-agent is' : `${found.length} sub-agents are`
  throw new OpenClawError('INPUT_INVALID', `${what} called "${showName(wanted)}"`, {
    hints: listed.slice(0, 10).map(({ number, label, sessionKey }) => `${number}: ${label ?? sessionKey}`),
  })
}

function known({ child, status }: Listed): Child {
  if (child !== null) return child
  throw new OpenClawError('INPUT_INVALID', `this program did not begin that sub-agent (${status})`, {
    hints: ['sessions_history shows what it said'],
  })
}

function row({ number, label, sessionKey, status, child }: Listed): object {
  return {
    number,
    label,
    sessionKey,
    status,
    ...(child !== null && {
      runId: child.runId,
      startedAt: isoTime(child.startedAt),
      endedAt: isoTime(child.endedAt),
    }),
  }
}

function details(listed: Listed): object {
  const { child } = listed
  if (child === null) return row(listed)
  const { agentId, task, text, error, totalTokens } = child
  const { number: _number, ...rest } = { ...row(listed), number: 0 }
  return { ...rest, agentId, task: cut(task), answer: text === null ? null : cut(text), error, totalTokens }
}

function cut(text: string): string {
  return text.length > longestAnswer ? `${text.slice(0, longestAnswer)} …` : text
}

async function log(shelf: SessionShelf, { sessionKey }: Listed, limit: number): Promise<object> {
  const { stored } = await shelf.find(sessionKey)
  const events = stored === null ? [] : await eventsOf(stored)
  return { sessionKey, ...lastMessages(events, redactorOf(shelf.view), { limit, includeTools: true }) }
}
