import { OpenClawError } from '../kernel/errors.ts'
import { readCommandLine } from './command-line.ts'
import { reportFailure, toOpenClawError } from './failure.ts'
import { configOf, type Program } from './program.ts'
import { outputsTaken, watchOutputs } from './streams.ts'
import { isAsked } from './terminal.ts'

/** How a run ended; an abandoned run has left work behind that would keep the process alive. */
export interface Outcome {
  readonly exitCode: number
  readonly abandoned: boolean
}

async function run(argv: readonly string[], program: Program): Promise<number> {
  const intent = readCommandLine(argv, Object.keys(program.commands))
  if (intent.kind === 'help') {
    const { showHelp } = await import('./help.ts')
    await showHelp(intent.subject, program, isAsked(argv, 'json'))
    return 0
  }
  const load = program.commands[intent.id]
  if (!load) throw new OpenClawError('INTERNAL', `no code for ${intent.id}`)
  program.beforeImport?.(intent.id)
  const { default: CommandClass } = await load()
  CommandClass.id = intent.id.replaceAll(' ', ':')
  return await new CommandClass(intent.argv, configOf(program))['_run']<number>()
}

/** How long a command that was told to end waits for somebody to read what it has written. */
const lastWordsMs = 500

/** Finds the command that the arguments name, runs it and reports its failure; never throws. */
export async function dispatch(argv: readonly string[], program: Program): Promise<Outcome> {
  if (program.onLostOutput) watchOutputs(program.onLostOutput)
  try {
    const exitCode = await run(argv, program)
    await outputsTaken()
    return { exitCode, abandoned: false }
  } catch (error) {
    const failure = toOpenClawError(error)
    const { code, exitCode } = failure
    const isStopped = code === 'TIMEOUT' || code === 'ABORTED'
    const told = tell(failure, argv)
    await (isStopped ? within(lastWordsMs, told) : told)
    return { exitCode, abandoned: isStopped || code === 'INTERNAL' }
  }
}

/** Reports a failure and waits until it is read. */
async function tell(failure: OpenClawError, argv: readonly string[]): Promise<void> {
  await reportFailure(failure, {
    json: isAsked(argv, 'json'),
    debug: isAsked(argv, 'debug'),
    noColor: isAsked(argv, 'no-color'),
  })
  await outputsTaken()
}

/** Waits for work, for so long at the most. */
async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
