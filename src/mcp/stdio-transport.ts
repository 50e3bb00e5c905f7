import { once } from 'node:events'
import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { showName } from '../kernel/untrusted-text.ts'
import { faultError, quote } from './fault.ts'
import { readLine, type Reading } from './json-rpc.ts'
import { inMegabytes, largestBacklog, largestMessage } from './limits.ts'
import { LineReader } from './line-reader.ts'
import { buryGroup, signalGroup, startGroup, type ServerProcess } from './process-group.ts'
import type { StdioSettings } from './settings.ts'
import type { Wire } from './wire.ts'

const keptStderr = 16 * 1024
/** Milliseconds that a server gets to leave by itself, then after a polite signal, and that the system gets to end it. */
const grace = { stdin: 500, signal: 500, kill: 500, pipes: 250 }

/**
 * Speaks with a child process over its standard streams. Unlike the SDK's own transport it bounds what it holds, survives text
 * that is no protocol, ends whole process groups and knows why a server ended.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  /** Set before the start; gets what only this level knows. */
  wire: Wire | null = null

  readonly #settings: StdioSettings
  readonly #lines: LineReader
  #child: ServerProcess | null = null
  #stderr = Buffer.alloc(0)
  #closing: Promise<void> | null = null

  constructor(settings: StdioSettings) {
    this.#settings = settings
    this.#lines = new LineReader(
      largestMessage,
      (line, bytes) => this.#read(line, bytes),
      () => this.wire?.fail('flood', `it sent a line of more than ${inMegabytes(largestMessage)}`),
    )
  }

  async start(): Promise<void> {
    const { cwd, command } = this.#settings
    // The system reports a missing directory as if the program were missing.
    if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw faultError('spawn', `its working directory ${showName(cwd, 160)} does not exist`)
    }
    let child: ServerProcess
    try {
      child = startGroup(this.#settings)
    } catch (error) {
      throw faultError('spawn', whyNotStarted(error, command))
    }
    this.#child = child
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => this.#lines.push(chunk))
    child.stdout.on('error', () => {})
    child.stderr.on('data', (chunk: Buffer) => this.#keep(chunk))
    child.stderr.on('error', () => {})
    child.once('exit', (code, signal) => void this.#ended(child, code, signal))
    try {
      await once(child, 'spawn')
    } catch (error) {
      this.#child = null
      throw faultError('spawn', whyNotStarted(error, command))
    }
    child.on('error', (error) => this.onerror?.(error))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin?.writable) throw faultError('exited', 'it is not running')
    if (stdin.writableLength > largestBacklog) {
      this.wire?.fail('flood', 'it does not read what it is sent')
      return
    }
    // A server that reads slowly must not hold up the time limit of the request, so nothing is awaited.
    stdin.write(`${JSON.stringify(message)}\n`)
  }

  /** Ends the server: closes its input, then asks it to go, then kills whatever is left of its process group. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    const child = this.#child
    this.#child = null
    this.#lines.end()
    if (child !== null) {
      child.stdin.end()
      if (!(await exitsWithin(child, grace.stdin))) {
        signalGroup(child, 'SIGTERM')
        await exitsWithin(child, grace.signal)
      }
      buryGroup(child)
      await exitsWithin(child, grace.kill)
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    }
    this.onclose?.()
  }

  #read(line: string, bytes: number): void {
    this.wire?.received(bytes)
    for (const reading of readLine(line)) this.#pass(reading, line)
  }

  #pass(reading: Reading, line: string): void {
    if (reading.kind === 'noise') {
      const text = quote(line, this.#settings.secrets, 80)
      this.wire?.remark(`it prints ${text} to stdout, where only JSON-RPC belongs`)
    } else if (reading.kind === 'malformed') {
      this.wire?.malformed(reading.problem, reading.answers)
    } else {
      let message: JSONRPCMessage
      try {
        message = parseJSONRPCMessage(reading.value)
      } catch {
        this.wire?.malformed('a message that is no JSON-RPC 2.0', reading.answers)
        return
      }
      this.onmessage?.(message)
    }
  }

  #keep(chunk: Buffer): void {
    const all = this.#stderr.length === 0 ? chunk : Buffer.concat([this.#stderr, chunk])
    this.#stderr = Buffer.from(all.subarray(Math.max(0, all.length - keptStderr)))
  }

  async #ended(child: ServerProcess, code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.#child !== child) return
    // Helpers it left behind would keep its pipes open; what is in the pipes already is still read.
    signalGroup(child, 'SIGKILL')
    await Promise.race([once(child, 'close'), delay(grace.pipes)])
    if (this.#child !== child) return
    const how = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`
    const where = this.#lines.hasRest() ? ' in the middle of a message' : ''
    const method = this.wire?.openMethod
    const before = method === null || method === undefined ? '' : ` before it answered ${method}`
    this.wire?.fail('exited', `${how}${where}${before}${this.#lastWords()}`)
  }

  /** What is known of a server that keeps silent, as the end of a sentence. */
  silence(): string {
    return `${this.#lines.hasRest() ? '; half a message has arrived' : ''}${this.#lastWords()}`
  }

  /** What the server wrote to stderr that tells most, as the end of a sentence; empty if it wrote nothing. */
  #lastWords(): string {
    const lines = this.#stderr
      .toString('utf8')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
    const telling =
      lines.findLast((line) =>
        /error|exception|fatal|panic|not found|denied|cannot|missing|required|usage:/i.test(line),
      ) ?? lines.at(-1)
    return telling === undefined ? '' : `; it said ${quote(telling, this.#settings.secrets)}`
  }
}

async function exitsWithin(child: ServerProcess, ms: number): Promise<boolean> {
  const hasExited = () => child.exitCode !== null || child.signalCode !== null
  if (hasExited()) return true
  const controller = new AbortController()
  const { signal } = controller
  await Promise.race([once(child, 'exit', { signal }), delay(ms, undefined, { signal })]).catch(() => {})
  controller.abort()
  return hasExited()
}

function whyNotStarted(error: unknown, command: string): string {
  const shown = showName(command, 120)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') {
    const place = command.includes('/') ? 'does not exist' : 'is not on the PATH'
    return `its command ${shown} ${place}`
  }
  if (code === 'EACCES') return `its command ${shown} may not be run: no permission`
  if (code === 'E2BIG') return 'its arguments and environment are too long'
  const message = error instanceof Error ? error.message : String(error)
  return `its command ${shown} could not be started: ${quote(message, [])}`
}
