import type { ServerResponse } from 'node:http'
import type { SentEvent, WireMessage, Writer } from './answers.ts'
import type { Fault } from './faults.ts'

/** Sends one JSON value. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

/** Sends the model's message, whole or as a stream, spoilt by the fault if there is one. */
export function respond(
  response: ServerResponse,
  writer: Writer,
  message: WireMessage,
  { fault, stream }: { readonly fault: Fault | null; readonly stream: boolean },
): void {
  if (fault !== null && refuse(response, writer, fault)) return
  if (stream) sendStream(response, writer, message, fault)
  else sendWhole(response, writer, message, fault)
}

/** Faults that leave nothing of the answer; whether it was one. */
function refuse(response: ServerResponse, writer: Writer, fault: Fault): boolean {
  switch (fault.kind) {
    case 'status': {
      const { status, retryAfter, message = `status ${status}, as ordered` } = fault
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
      sendJson(response, status, writer.refusal(status, message), headers)
      return true
    }
    case 'redirect':
      response.writeHead(302, { location: fault.to })
      response.end()
      return true
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><title>It works!</title>')
      return true
    default:
      return false
  }
}

function sendWhole(
  response: ServerResponse,
  writer: Writer,
  message: WireMessage,
  fault: Fault | null,
): void {
  if (fault?.kind === 'stall') return
  if (fault?.kind === 'empty') return sendJson(response, 200, writer.empty)
  const text = JSON.stringify(writer.whole(message))
  const length = String(Buffer.byteLength(text))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
  const half = text.slice(0, Math.floor(text.length / 2))
  if (fault?.kind === 'cut') response.write(half, () => response.destroy())
  else if (fault?.kind === 'garbage') response.end(text.replaceAll('"', "'"))
  else response.end(text)
}

function print({ event, data }: SentEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

function sendStream(
  response: ServerResponse,
  writer: Writer,
  message: WireMessage,
  fault: Fault | null,
): void {
  const events = writer.events(message)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  if (fault === null || fault.kind === 'malformed-arguments' || fault.kind === 'unknown-tool') {
    for (const event of events) response.write(print(event))
    response.end()
    return
  }
  if (fault.kind === 'empty') {
    response.end()
    return
  }
  const after = 'after' in fault && fault.after !== undefined ? fault.after : 2
  // What makes an answer complete stays away, whatever the number.
  const start = events
    .slice(0, Math.min(after, Math.max(0, events.length - 3)))
    .map(print)
    .join('')
  if (fault.kind === 'garbage') {
    const [first] = events
    response.end(
      `${start}${first?.event === undefined ? '' : `event: ${first.event}\n`}data: {"id": broken\n\n`,
    )
  } else if (fault.kind === 'error-event') {
    response.end(start + print(writer.error(fault.message ?? 'overloaded, as ordered')))
  } else if (fault.kind === 'end') response.end(start)
  else if (fault.kind === 'cut') response.write(start, () => response.destroy())
  else response.write(start)
}
