import type { ToolResult } from '../../calls/types.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { Command, CommandStatus } from './command.ts'
import { keptBytes } from './output.ts'
import { lastPart, outputText } from './output-text.ts'

/** `details` of a result of exec; `process` gives the same for its command. */
export interface CommandDetails {
  readonly status: CommandStatus
  readonly exitCode: number | null
  readonly signal: string | null
  readonly durationMs: number
  readonly cwd: string
  readonly backend: string
  readonly tail: string
  readonly outputBytes: number
  readonly truncated: boolean
  readonly spillFile?: string
  readonly sessionId?: string
  readonly pid?: number
  readonly leftRunning?: true
}

const tailLength = 4_000
/** Characters that a model is sure to be shown; whatever is longer can be looked up. */
const shownToModels = 12_000
/** Characters of output that are shown while a command runs. */
const shownWhileRunning = 8_000

/** What became of a command whose call is over: what it wrote, then how it ended in words. */
export function endReport(command: Command): ToolResult {
  const { text, isBinary } = outputText(command.output, 0, false)
  const isLong = text.length > shownToModels
  if (isBinary || isLong) keepInFile(command)
  const shown = isBinary ? '' : (command.output.isCut ? fromLine(text) : text).trimEnd()
  const body = shown === '' ? [] : [shown]
  const details = commandDetails(command, isBinary ? '' : text)
  const { file, isCut } = command.output
  const whereNote = file !== null && isLong && !isCut && !isBinary ? [`(All of it is in ${file})`] : []
  const parts = [...cutNote(command, isBinary), ...body, ...whereNote, ...endNotes(command)]
  const whole = parts.length === 0 ? '(no output)' : parts.join('\n\n')
  return {
    content: [{ type: 'text', text: whole }],
    details: { ...details, truncated: details.truncated || isBinary },
  }
}

/** What a command that goes on in the background has written so far, and how to follow it. */
export function runningReport(command: Command, note: string): ToolResult {
  const { text, end } = outputText(command.output, 0, true)
  command.seen = end
  const { id } = command.facts
  const so = `Still running: session ${id}, pid ${command.pid}. ${note}`
  const shown = lastPart(text, shownWhileRunning).trimEnd()
  const content = shown === '' ? so : `${so}\n\n${shown}`
  return { content: [{ type: 'text', text: content }], details: commandDetails(command, text) }
}

/** A partial result while the call waits. */
export function progressReport(command: Command): ToolResult {
  const { text } = outputText(command.output, 0, true)
  const shown = lastPart(text, tailLength)
  return { content: [{ type: 'text', text: shown }], details: commandDetails(command, text) }
}

/** What programs want to know of a command. */
export function commandDetails(command: Command, text: string): CommandDetails {
  const { output, facts, status, exit, durationMs, pid } = command
  const { file } = output
  const isRunning = status === 'running'
  return {
    status,
    exitCode: exit.code,
    signal: exit.signal,
    durationMs,
    cwd: facts.cwd,
    backend: facts.backend,
    tail: lastPart(text, tailLength),
    outputBytes: output.total,
    truncated: output.isCut,
    ...(file !== null && { spillFile: file }),
    ...(isRunning && { sessionId: facts.id, pid }),
    ...(!isRunning && command.hasGroup && { leftRunning: true as const }),
  }
}

/** How a command ended, in words; empty where it ended well. */
export function endNotes(command: Command): string[] {
  const { status, exit, durationMs } = command
  const after = `after ${(durationMs / 1000).toFixed(1)} s`
  const notes =
    status === 'failed'
      ? [`(Command exited with code ${exit.code}${knownCode(exit.code)})`]
      : status === 'timeout'
        ? [`(Command timed out ${after} and was ended)`]
        : status === 'killed'
          ? [`(Command was ended by ${exit.signal ?? 'this program'})`]
          : []
  if (status === 'running' || !command.hasGroup) return notes
  return [
    ...notes,
    '(Processes that it started still run. They are ended with this run; background: true keeps a command for later turns.)',
  ]
}

/** A command in one line, for lists and messages. */
export function commandLine(command: Command): string {
  return cleanLine(command.facts.text, 120)
}

/** What cannot be shown can still be looked at with other programs. */
function keepInFile({ output }: Command): void {
  output.keep()
  output.close()
}

function cutNote({ output }: Command, isBinary: boolean): string[] {
  const { file, total, lost } = output
  const where =
    file === null
      ? ''
      : lost > 0
        ? ` The first ${total - lost} bytes are in ${file}`
        : ` All of it is in ${file}`
  if (isBinary) return [`[binary output, ${total} bytes.${where}]`]
  return output.isCut ? [`[the last ${keptBytes} of ${total} bytes.${where}]`] : []
}

/** Text without the rest of a line whose beginning is gone. */
function fromLine(text: string): string {
  const line = text.indexOf('\n')
  return line >= 0 && line < 1_000 ? text.slice(line + 1) : text
}

function knownCode(code: number | null): string {
  if (code === 127) return ': command not found'
  return code === 126 ? ': command cannot be executed' : ''
}
