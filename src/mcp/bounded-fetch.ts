import type { FetchLike } from '@modelcontextprotocol/client'
import { inMegabytes, largestMessage } from './limits.ts'
import type { Wire } from './wire.ts'

/** A fetch whose responses cannot grow without bound: a message, or one event of a stream, has a limit, and the wire counts all. */
export function boundFetch(fetch: FetchLike, wire: () => Wire | null): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (response.body === null) return response
    const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
    const { status, statusText, headers } = response
    const bounded = response.body.pipeThrough(counter(isStream, wire))
    // 204, 205 and 304 have no body, so this status can be repeated.
    return new Response(bounded, { status, statusText, headers })
  }
}

function counter(isStream: boolean, wire: () => Wire | null): TransformStream<Uint8Array, Uint8Array> {
  let held = 0
  return new TransformStream({
    transform(chunk, controller) {
      const end = isStream ? lastEventEnd(chunk) : -1
      held = end < 0 ? held + chunk.length : chunk.length - end
      wire()?.received(chunk.length)
      if (held > largestMessage) {
        wire()?.fail('flood', `it sent a message of more than ${inMegabytes(largestMessage)}`)
        controller.error(new Error('message too large'))
        return
      }
      controller.enqueue(chunk)
    },
  })
}

/** Where the last event of a chunk ends, which is at a blank line; -1 if it ends none. */
function lastEventEnd(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\n\r\n'), bytes.lastIndexOf('\r\r'))
}
