import type { ParentMessage } from '../protocol.ts'
import { lockDown } from './lockdown.ts'
import { readLine, write } from './pipe.ts'
import { createRealm } from './realm.ts'

/*
 * The program of a code child: one snippet, then it waits to be killed. All of it between two answers of the parent is
 * synchronous, so that one time limit covers the snippet's code wherever it is: before an `await`, after it, in a getter.
 */

const { Script } = process.getBuiltinModule('node:vm')
const { setImmediate: nextTurn } = globalThis
const { guest, pump, compile } = createRealm()

/** Runs the guest and answers for it until it has ended, is stuck, or the parent is gone. */
function serve(): 'ended' | 'stuck' | 'gone' {
  for (;;) {
    pump()
    guest.rest()
    if (!write(guest.drain())) return 'gone'
    const state = guest.state()
    if (state !== 'waiting') return state
    const line = readLine()
    if (line === null) return 'gone'
    const message: ParentMessage = JSON.parse(line)
    if (message.t === 'answer') guest.deliver(message.id, message.ok, message.json)
  }
}

/** Only a script can have a time limit, and a script can only reach what is global. */
const limited = new Script('serve()', { filename: 'openclaw' })

function writeFailure(failure: string, message: string, position: object | null = null): void {
  write(`${JSON.stringify({ t: 'failure', failure, message, position, idle: 0 })}\n`)
}

function serveUntil(end: number, wasStuck: boolean): void {
  const timeout = Math.max(1, Math.ceil(end - Date.now()))
  let outcome: unknown
  try {
    outcome = limited.runInThisContext({ timeout })
  } catch (error) {
    const isTimeout =
      error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    // What the snippet has printed is worth more than a clean end. The limit may have struck in the middle of a line.
    write(`\n${guest.drain()}`)
    // Nothing else can fail here but a buffer for a line.
    if (isTimeout) writeFailure('timeout', '')
    else writeFailure('memory', 'the snippet ran out of memory')
  }
  if (outcome === 'stuck') {
    // A rejection of `import()` arrives through the host's own microtasks, which need a turn of the event loop.
    if (!wasStuck) return void nextTurn(() => serveUntil(end, true))
    writeFailure('timeout', 'the snippet waits for a promise that nothing can settle any more')
  }
  if (outcome !== 'gone') while (readLine() !== null);
}

function run(message: ParentMessage): void {
  if (message.t !== 'run') return
  const compiled = compile(message.code)
  if ('problem' in compiled) {
    writeFailure('invalid_input', compiled.problem, compiled.position)
    while (readLine() !== null);
    return
  }
  guest.run(compiled.main, JSON.stringify(message.limits))
  serveUntil(Date.now() + message.timeoutMs, false)
}

function begin(leak: unknown): void {
  const granted = lockDown(leak)
  Object.defineProperty(globalThis, 'serve', { value: serve })
  write(`${JSON.stringify({ t: 'ready', granted })}\n`)
  const line = readLine()
  if (line !== null) run(JSON.parse(line))
}

// What a guest will get from `import()`, too.
new Script("import('')", { filename: 'openclaw' }).runInThisContext().catch(begin)
