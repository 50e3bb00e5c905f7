import { Type } from 'typebox'
import type { ServerStatus } from '../../gateway/methods/server.ts'
import type { ListeningPlace } from '../../runtime/gateway/run.ts'
import { count, ms, nullable, open, someObject, text, texts, time, word, type Promised } from './kit.ts'

/** The one line of `gateway run --json`, printed when it listens. */
export const listening = open({
  event: Type.Literal('listening'),
  url: text,
  port: count,
  pid: count,
  authMode: word('token', 'password', 'none'),
  logFile: text,
  tokenFile: nullable(text),
})

/** `gateway status --json` (contract §8). */
export const status = open({
  version: text,
  url: text,
  authMode: text,
  pid: count,
  node: text,
  startedAt: time,
  uptimeMs: ms,
  connections: count,
  rssBytes: count,
  configFile: text,
  stateDir: text,
  edition: text,
  revision: count,
  problem: nullable(text),
  restartNeeded: texts,
  agents: texts,
  defaultAgentId: text,
  mainSessionKey: text,
  mcpServers: Type.Array(open({ name: text, status: text })),
  configHash: text,
})

/** `gateway call --json`: the payload of the method, as the Gateway sends it (contract §8). */
export const payload = someObject

type Holds<_Result extends Wanted, Wanted> = true
export type GatewayResultsHold = [
  Holds<ListeningPlace, Omit<Promised<typeof listening>, 'event'>>,
  Holds<ServerStatus, Promised<typeof status>>,
]
