import type { GuestLimits } from '../protocol.ts'

/** The guest realm as the host sees it. Only primitives cross in either direction, except for the snippet's own function. */
export interface Guest {
  /** Starts a compiled snippet with its limits as JSON text; it runs with the next microtasks. */
  run(main: () => PromiseLike<unknown>, limits: string): void
  /** Answers a call with JSON text; what waits for it goes on with the next microtasks. */
  deliver(id: number, ok: boolean, json: string): void
  /** Takes the lines written since the last time. */
  drain(): string
  /** Takes note that no microtask is left: the snippet has ended if it has settled and so have the calls it has begun. */
  rest(): void
  /** Whether the snippet waits for answers, waits for nothing that could ever come, or has said its last line. */
  state(): 'waiting' | 'stuck' | 'ended'
}

/**
 * Furnishes a fresh realm: takes away what is no language, brings `openclaw.tools` and `console`, and keeps the queue of
 * outgoing lines. Never called in this realm: its text is evaluated in the guest's, so it may name nothing outside of itself.
 *
 * The guest may change every prototype at any time. So everything needed later is taken now, and no line below uses
 * iteration, spread, array methods or property writes that a changed prototype could see.
 */
export function furnishGuest(language: readonly string[]): Guest {
  const { stringify, parse } = JSON
  const { apply, defineProperty } = Reflect
  const { create, freeze } = Object
  const { exec } = RegExp.prototype
  const { slice } = String.prototype
  const { toString: errorToString } = Error.prototype
  const PromiseOf = Promise
  const ErrorOf = Error
  const RangeErrorOf = RangeError
  const text = String
  const number = Number
  const { then } = Promise.prototype

  for (const key of Reflect.ownKeys(globalThis)) {
    if (typeof key === 'symbol' || !language.includes(key)) Reflect.deleteProperty(globalThis, key)
  }

  let limits: GuestLimits = { valueSize: 0, logSize: 0, calls: 0, pending: 0, bridge: false }
  let lines = ''
  let logged = 0
  let isFull = false
  let made = 0
  let begun = 0
  let waiting = 0
  let isRunning = false
  /** The last line; set as soon as the snippet has settled, written when the calls it has begun have, too. */
  let last = ''
  let isClosed = false
  let isEnded = false

  interface Waiting {
    resolve: (value: unknown) => void
    reject: (reason: unknown) => void
    /** Made by the call itself, so that its trace leads there. */
    error: Error
  }
  const pending: Record<number, Waiting | undefined> = create(null)

  function define(target: object, key: string, value: unknown, enumerable = false): void {
    const descriptor: PropertyDescriptor = create(null)
    descriptor.value = value
    descriptor.enumerable = enumerable
    descriptor.writable = true
    descriptor.configurable = true
    defineProperty(target, key, descriptor)
  }

  /** A promise whose `then` does not ask its constructor, which the guest could have changed. */
  function plain<Value extends object>(promise: Value): Value {
    define(promise, 'constructor', undefined)
    return promise
  }
  const settled = plain(PromiseOf.resolve())
  const never = plain(new PromiseOf<unknown>(() => {}))

  function soon(action: () => void): void {
    apply(then, settled, [action])
  }

  function isErrorLike(value: unknown): value is { name: unknown; message: unknown; stack: unknown } {
    if (typeof value !== 'object' || value === null) return false
    const { message, stack } = value as { message?: unknown; stack?: unknown }
    return typeof message === 'string' && (value instanceof ErrorOf || typeof stack === 'string')
  }

  /** `name: message`, without a name that says nothing. */
  function describe(error: { name: unknown; message: unknown }): string {
    const { name, message } = error
    const isNamed = typeof name === 'string' && name !== '' && name !== 'Error'
    return isNamed ? name + ': ' + text(message) : text(message)
  }

  /** What a value looks like in a log line or a message; may run the guest's code, never throws. */
  function show(value: unknown): string {
    try {
      if (typeof value === 'string') return value
      if (isErrorLike(value)) return describe(value)
      if (typeof value === 'function') return '[function]'
      return (typeof value === 'object' ? stringify(value) : undefined) ?? text(value)
    } catch (error) {
      try {
        return isErrorLike(error) ? '[' + describe(error) + ']' : '[cannot be shown]'
      } catch {
        return '[cannot be shown]'
      }
    }
  }

  function log(...items: unknown[]): void {
    if (isFull || isEnded) return
    let line = ''
    for (let index = 0; index < items.length; index++) {
      line += (index > 0 ? ' ' : '') + show(items[index])
      if (line.length > limits.logSize) break
    }
    const room = limits.logSize - logged
    isFull = line.length > room || room <= 0
    if (isFull) line = apply(slice, line, [0, room])
    logged += line.length + 1
    if (room > 0) lines += '{"t":"log","text":' + stringify(line) + '}\n'
    if (isFull) lines += '{"t":"full"}\n'
  }

  const isPlace = /snippet\.js:(\d+):(\d+)/

  function positionOf(error: unknown): string {
    try {
      const stack = isErrorLike(error) ? error.stack : undefined
      const place = typeof stack === 'string' ? apply(exec, isPlace, [stack]) : null
      if (!place) return 'null'
      return '{"line":' + text(number(place[1])) + ',"column":' + text(number(place[2])) + '}'
    } catch {
      return 'null'
    }
  }

  function failureLine(failure: string, message: string, position: string): string {
    const bounded = apply(slice, message, [0, 4000])
    const place = ',"position":' + position + ',"idle":' + text(made - begun) + '}\n'
    return '{"t":"failure","failure":"' + failure + '","message":' + stringify(bounded) + place
  }

  function thrownLine(error: unknown, prefix: string): string {
    const message = show(error)
    // What V8 says when the operating system refuses memory for a buffer.
    const isMemory = message === 'RangeError: Array buffer allocation failed'
    if (isMemory) prefix = 'the snippet ran out of memory: '
    return failureLine(isMemory ? 'memory' : 'thrown', prefix + message, positionOf(error))
  }

  function succeed(value: unknown): void {
    let json: string | undefined
    try {
      json = stringify(value)
    } catch (error) {
      last = thrownLine(error, 'the returned value cannot be written as JSON: ')
      return
    }
    json ??= 'null'
    if (json.length > limits.valueSize) {
      const message = 'the returned value has ' + text(json.length) + ' characters of JSON'
      const most = '; at most ' + text(limits.valueSize) + ' are returned'
      last = failureLine('output_limit', message + most, 'null')
      return
    }
    last = '{"t":"value","idle":' + text(made - begun) + ',"value":' + json + '}\n'
  }

  function fail(error: unknown): void {
    last = thrownLine(error, '')
  }

  function settle(id: number, ok: boolean, json: string): void {
    const call = pending[id]
    if (!call) return
    delete pending[id]
    waiting--
    if (ok) {
      call.resolve(parse(json))
      return
    }
    const { message, code } = parse(json)
    define(call.error, 'message', message)
    if (typeof code === 'string') define(call.error, 'code', code, true)
    call.reject(call.error)
  }

  function begin(method: string, json: string, error: Error): Promise<unknown> {
    // After its end a snippet gets no answers: a loop in its background would go round for ever on errors, too.
    if (isClosed) return never
    begun++
    return plain(
      new PromiseOf<unknown>((resolve, reject) => {
        if (json.length > limits.valueSize) {
          const most = 'at most ' + text(limits.valueSize) + ' characters of JSON'
          reject(new RangeErrorOf('the arguments of ' + method + ' are too large: ' + most))
        } else if (begun > limits.calls) {
          reject(new RangeErrorOf('too many calls: one run may make ' + text(limits.calls)))
        } else if (waiting >= limits.pending) {
          reject(new RangeErrorOf('too many calls at once: ' + text(limits.pending) + ' may wait'))
        } else {
          waiting++
          pending[begun] = { resolve, reject, error }
          lines += '{"t":"call","id":' + text(begun) + ',"method":"' + method + '","args":' + json + '}\n'
        }
      }),
    )
  }

  /** What a call returns: it starts when somebody awaits it (or calls `then`, `catch`, `finally`), and only once. */
  class Call {
    #begin: () => Promise<unknown>
    #promise: Promise<unknown> | undefined

    constructor(start: () => Promise<unknown>) {
      this.#begin = start
    }

    // oxlint-disable-next-line unicorn/no-thenable -- being one is what makes a call lazy
    then(onValue: unknown, onError: unknown): unknown {
      this.#promise ??= this.#begin()
      return apply(then, this.#promise, [onValue, onError])
    }

    toJSON(): string {
      return '[a call that was not awaited]'
    }
  }
  Reflect.deleteProperty(Call.prototype, 'constructor')
  Object.setPrototypeOf(Call.prototype, PromiseOf.prototype)
  freeze(Call.prototype)

  function argument(value: unknown): string {
    return stringify(value) ?? 'null'
  }

  function caller(method: string) {
    const call = (first?: unknown, second?: unknown): Call => {
      made++
      const error = new ErrorOf()
      try {
        const json = '[' + argument(first) + ',' + argument(second) + ']'
        return new Call(() => begin(method, json, error))
      } catch (reason) {
        define(error, 'message', 'the arguments of ' + method + ' cannot be written as JSON: ' + show(reason))
        return new Call(() => {
          begun++
          return plain(new PromiseOf<unknown>((_, reject) => reject(error)))
        })
      }
    }
    return freeze(call)
  }

  // Values and log lines are JSON, in which these would throw or come out empty.
  define(BigInt.prototype, 'toJSON', function (this: unknown) {
    return text(this)
  })
  define(Error.prototype, 'toJSON', function (this: { name: unknown; message: unknown; code?: unknown }) {
    const { name, message, code } = this
    return { name, message, code }
  })

  /** Stack traces name places of the snippet only; the frames below it would tell where the program is installed. */
  function formatStack(error: unknown, sites: readonly NodeJS.CallSite[]): string {
    let stack: string
    try {
      stack = apply(errorToString, error, [])
    } catch {
      stack = 'Error'
    }
    for (let index = 0; index < sites.length; index++) {
      const site = sites[index]
      if (site?.getFileName() !== 'snippet.js') continue
      const place = 'snippet.js:' + text(site.getLineNumber()) + ':' + text(site.getColumnNumber())
      const name = site.getFunctionName()
      stack += '\n    at ' + (name === null || name === '' ? place : name + ' (' + place + ')')
    }
    return stack
  }
  // Both fixed: whoever could set this would get at the frames themselves.
  defineProperty(ErrorOf, 'prepareStackTrace', { value: formatStack })
  defineProperty(globalThis, 'Error', { value: ErrorOf, writable: false, configurable: false })

  function offer(name: string, members: Record<string, unknown>): void {
    defineProperty(globalThis, name, { value: freeze(members), enumerable: true })
  }
  const tools = freeze({ search: caller('search'), describe: caller('describe'), call: caller('call') })
  freeze(log)
  offer('console', { log, warn: log, error: log })

  return {
    run(main, json) {
      limits = parse(json)
      if (limits.bridge) offer('openclaw', { tools })
      isRunning = true
      soon(() => {
        apply(then, plain(main()), [succeed, fail])
      })
    },
    deliver(id, ok, json) {
      soon(() => settle(id, ok, json))
    },
    rest() {
      if (last !== '') isClosed = true
      if (!isClosed || waiting > 0 || isEnded) return
      isEnded = true
      lines += last
    },
    drain() {
      const taken = lines
      lines = ''
      return taken
    },
    state() {
      if (isEnded) return 'ended'
      return isRunning && waiting === 0 ? 'stuck' : 'waiting'
    },
  }
}
