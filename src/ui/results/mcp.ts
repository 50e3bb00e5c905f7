import { Type } from 'typebox'
import type { McpList, McpProbe } from '../../runtime/mcp.ts'
import { failed } from './failure.ts'
import { count, exposure, ms, notice, nullable, open, text, texts, time, word, type Promised } from './kit.ts'
import { hiddenTool } from './tools.ts'

const server = {
  name: text,
  safeName: text,
  enabled: Type.Boolean(),
  transport: nullable(word('stdio', 'streamable-http', 'sse')),
  endpoint: text,
  status: word('connected', 'failed', 'seen', 'unseen', 'disabled'),
  toolCount: count,
  seenAt: nullable(time),
  cause: nullable(open({ kind: text, message: text })),
  failedAt: nullable(time),
}

/** `mcp list --json` (contract §8). */
export const list = open({
  items: Type.Array(open(server)),
  servers: Type.Array(open(server), { description: 'The same as items.' }),
  notices: Type.Array(notice),
})

/** `mcp probe --json` (contract §8); with `error` where a server that was named cannot be reached, and then exit code 6. */
export const probe = open({
  agentId: text,
  sessionKey: text,
  edition: text,
  servers: Type.Array(
    open({
      ...server,
      latency: nullable(open({ connectMs: ms, listMs: ms })),
      serverInfo: nullable(open({ name: text, version: text })),
      protocolVersion: nullable(text),
      remarks: texts,
      tools: Type.Array(open({ name: text, mcpToolName: text, exposure })),
      hidden: Type.Array(hiddenTool),
    }),
  ),
  notices: Type.Array(notice),
  error: Type.Optional(failed),
})

type Holds<_Result extends Wanted, Wanted> = true
export type McpResultsHold = [Holds<McpList, Promised<typeof list>>, Holds<McpProbe, Promised<typeof probe>>]
