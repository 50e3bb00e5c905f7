import type { Running, Returned } from '../../calls/executor.ts'
import type { Args } from '../../calls/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { CoreTool } from '../family.ts'
import type { Command } from './command.ts'
import type { CommandParts } from './exec.ts'
import { keyBytes } from './keys.ts'
import { outputText } from './output-text.ts'
import type { CommandRegistry } from './registry.ts'
import { commandDetails, commandLine, endNotes } from './report.ts'

const usualLines = 200
const longestWaitMs = 120_000

interface Asked {
  readonly args: Args
  readonly command: Command
  readonly registry: CommandRegistry
  readonly running: Running
}

/**
 * The tool that follows the background commands of its own session; those of others do not exist for it. Errors: INPUT_INVALID for a session
 * id it does not have and for input that is missing, TOOL_FAILED where a command takes no input any more.
 */
export function processTool({ options, host }: Pick<CommandParts, 'options' | 'host'>): CoreTool {
  return {
    run: async (args, running) => {
      const registry = await host.registry()
      const { sessionKey } = options.view().context
      const action = String(args['action'])
      if (action === 'list') return listed(registry.list(sessionKey))
      const act = Object.hasOwn(actions, action) ? actions[action] : undefined
      if (act === undefined)
        throw new OpenClawError('INPUT_INVALID', `there is no action ${showName(action)}`)
      return act({
        args,
        running,
        registry,
        command: wanted(args['sessionId'], sessionKey, registry, action),
      })
    },
  }
}

const actions: Readonly<Record<string, (asked: Asked) => Promise<Returned>>> = {
  poll: async ({ args, command, running }) => {
    const waitMs = Math.min(longestWaitMs, typeof args['timeout'] === 'number' ? args['timeout'] : 0)
    await command.more(command.seen, waitMs, running.signal)
    running.signal.throwIfAborted()
    const isRunning = command.status === 'running'
    const { text, skipped, end } = outputText(command.output, command.seen, isRunning)
    command.seen = end
    const gap = skipped > 0 ? [`[${skipped} bytes before this are no longer kept]`] : []
    const shown = text.trimEnd() === '' ? ['(no new output)'] : [text.trimEnd()]
    return answer([...gap, ...shown, stateOf(command)], { command, text })
  },
  log: async ({ args, command }) => {
    const isRunning = command.status === 'running'
    const { text, skipped } = outputText(command.output, 0, isRunning)
    const lines = text.replace(/\n$/, '').split('\n')
    const limit = typeof args['limit'] === 'number' ? args['limit'] : usualLines
    const first = typeof args['offset'] === 'number' ? args['offset'] : Math.max(0, lines.length - limit)
    const part = lines.slice(first, first + limit)
    const { file } = command.output
    const gap =
      skipped > 0
        ? [`[${skipped} bytes before line 0 are no longer kept${file === null ? '' : `; see ${file}`}]`]
        : []
    const place = `[lines ${first} to ${first + part.length} of ${lines.length}]`
    return answer([...gap, place, part.join('\n'), stateOf(command)], { command, text: part.join('\n') })
  },
  write: async ({ args, command }) => {
    const { data, eof } = args
    if (typeof data !== 'string' && eof !== true) throw missing('write', 'data, or eof: true')
    if (typeof data === 'string' && data !== '') put(command, data)
    if (eof === true) command.endInput()
    const what = `${typeof data === 'string' ? `${Buffer.byteLength(data)} bytes written` : ''}${eof === true ? ' input closed' : ''}`
    return answer([what.trim()], { command })
  },
  submit: async ({ args, command }) => {
    const data = typeof args['data'] === 'string' ? args['data'] : ''
    put(command, data + (command.facts.pty ? '\r' : '\n'))
    return answer(['submitted'], { command })
  },
  paste: async ({ args, command }) => {
    const { text } = args
    if (typeof text !== 'string' || text === '') throw missing('paste', 'text')
    // A terminal program must not take pasted text for keys; what ends the paste cannot be part of it.
    put(command, command.facts.pty ? `\u001B[200~${text.replaceAll('\u001B[201~', '')}\u001B[201~` : text)
    return answer([`${Buffer.byteLength(text)} bytes pasted`], { command })
  },
  'send-keys': async ({ args, command }) => {
    const keys = Array.isArray(args['keys']) ? args['keys'].map(String) : []
    if (keys.length === 0) throw missing('send-keys', 'keys')
    put(command, keyBytes(keys))
    return answer([`${keys.length} keys sent`], { command })
  },
  kill: async ({ command }) => {
    const was = command.status
    await command.end('killed')
    return answer([was === 'running' ? 'ended' : 'it had ended before', stateOf(command)], { command })
  },
  clear: async ({ command, registry }) => {
    if (command.status === 'running') {
      throw new OpenClawError('INPUT_INVALID', `${command.facts.id} still runs`, {
        hints: ['kill it first, or use remove'],
      })
    }
    registry.forget(command)
    return answer(['forgotten'], { command })
  },
  remove: async ({ command, registry }) => {
    await command.end('killed')
    registry.forget(command)
    return answer(['ended and forgotten'], { command })
  },
}

function listed(commands: readonly Command[]): Returned {
  const lines = commands.map((command) => {
    const { status, durationMs, facts } = command
    return `${facts.id}  ${status}  ${(durationMs / 1000).toFixed(1)} s  ${commandLine(command)}`
  })
  const sessions = commands.map((command) => ({
    sessionId: command.facts.id,
    command: commandLine(command),
    ...commandDetails(command, ''),
  }))
  const text = lines.length === 0 ? 'No background commands.' : lines.join('\n')
  return { result: { content: [{ type: 'text', text }], details: { sessions } } }
}

function answer(parts: readonly string[], { command, text }: { command: Command; text?: string }): Returned {
  const content = parts.filter((part) => part !== '').join('\n')
  const shown = text ?? outputText(command.output, 0, command.status === 'running').text
  const details = { ...commandDetails(command, shown), sessionId: command.facts.id }
  return { result: { content: [{ type: 'text', text: content }], details } }
}

function stateOf(command: Command): string {
  const { status } = command
  if (status === 'running') return '(still running)'
  return status === 'completed' ? '(Command exited with code 0)' : endNotes(command).join('\n')
}

function wanted(given: unknown, sessionKey: string, registry: CommandRegistry, action: string): Command {
  if (typeof given !== 'string' || given === '') throw missing(action, 'sessionId')
  const found = registry.find(sessionKey, given)
  if (found !== undefined) return found
  const ids = registry.list(sessionKey).map(({ facts }) => facts.id)
  throw new OpenClawError('INPUT_INVALID', `this session has no background command ${showName(given)}`, {
    hints: ids.length === 0 ? ['there are none now'] : [`there are: ${ids.join(', ')}`],
    data: { sessionId: given.slice(0, 200) },
  })
}

function missing(action: string, what: string): OpenClawError {
  return new OpenClawError('INPUT_INVALID', `${action} needs ${what}`, { data: { action } })
}

function put(command: Command, data: string): void {
  if (command.write(data)) return
  const { id } = command.facts
  const why = command.status === 'running' ? 'its input is closed' : 'it has ended'
  throw new OpenClawError('TOOL_FAILED', `nothing can be written to ${id}: ${why}`, {
    hints: ['a command that is to be written to is started with background: true or pty: true'],
    data: { sessionId: id, status: command.status },
  })
}
