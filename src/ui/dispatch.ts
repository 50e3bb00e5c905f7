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

/** Finds the command that the arguments name, runs it and reports its failure; never throws. */
export async function dispatch(argv: readonly string[], program: Program): Promise<Outcome> {
  if (program.onLostOutput) watchOutputs(program.onLostOutput)
  try {
    const exitCode = await run(argv, program)
    await outputsTaken()
    return { exitCode, abandoned: false }
  } catch (error) {
    const failure = toOpenClawError(error)
    await reportFailure(failure, {
      json: isAsked(argv, 'json'),
      debug: isAsked(argv, 'debug'),
      noColor: isAsked(argv, 'no-color'),
    })
    await outputsTaken()
    const { code, exitCode } = failure
    return { exitCode, abandoned: code === 'TIMEOUT' || code === 'ABORTED' || code === 'INTERNAL' }
  }
}
