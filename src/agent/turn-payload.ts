import type { View } from '../policy/view.ts'
import type { ToolPayload } from '../tool-search/payload.ts'
import type { TurnPayload } from './events.ts'
import type { ModelRequest, WireBytes } from './providers/provider.ts'

/** A request with what was decided about the tools in it. */
export interface TurnRequest extends ModelRequest {
  readonly payload: ToolPayload
}

/** What a request told the model about tools, in numbers. Pure. */
export function turnPayload(
  at: Pick<TurnPayload, 'turn' | 'provider' | 'model'>,
  view: View,
  { payload, system }: Pick<TurnRequest, 'payload' | 'system'>,
  wire: WireBytes,
): TurnPayload {
  return {
    ...at,
    toolCount: payload.tools.length,
    toolNames: payload.tools.map(({ name }) => name),
    toolBytes: payload.bytes.tools,
    promptBytes: Buffer.byteLength(system),
    directoryBytes: payload.bytes.prompt,
    deferredCount: payload.deferred.length,
    toolSearchMode: view.toolSearch.mode,
    wire,
  }
}
