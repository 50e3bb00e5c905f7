import type { AgentEvent, AgentResult } from '../agent/events.ts'
import { redact } from '../config/redact.ts'
import { cleanLine, showName } from '../kernel/untrusted-text.ts'
import type { Theme } from './theme.ts'

/** Where a run is shown: the model's words alone, and everything beside them. */
export interface AgentOutput {
  readonly answer: (text: string) => void
  readonly aside: (line: string) => void
  readonly theme: Theme
}

const longestArgs = 160

/** What a terminal would obey or nobody would see; a model repeats what strangers wrote. */
const hidden =
  // oxlint-disable-next-line no-control-regex
  /[\0-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g

/** Shows a run while it goes on: text as it comes, one line for each call and for each time that a provider failed. */
export class AgentStream {
  readonly #output: AgentOutput
  /** Text of the present message that is on the screen, and how much of it the present attempt has repeated. */
  #shown = ''
  #repeated = 0
  #isOpen = false

  constructor(output: AgentOutput) {
    this.#output = output
  }

  /** Takes an event of the run. */
  readonly take = (event: AgentEvent): void => {
    const { theme } = this.#output
    switch (event.type) {
      case 'text':
        this.#text(event.delta)
        break
      case 'message':
        this.#endMessage()
        break
      case 'retry':
        // What comes next may well begin with the same words; they are not shown twice.
        this.#repeated = 0
        this.#aside(
          `${theme.caution('retry')} in ${seconds(event.waitMs)}: ${event.model.provider} ${clause(event.fault.message)}`,
        )
        break
      case 'fallback':
        this.#repeated = 0
        this.#aside(
          `${theme.caution('fallback')} to ${event.to.provider}/${event.to.model}: ${clause(event.message)}`,
        )
        break
      case 'call-start':
        this.#aside(
          `${theme.faint('→')} ${theme.name(showName(event.name))} ${theme.faint(argsOf(event.args))}`,
        )
        break
      case 'call-end':
        this.#aside(
          event.status === 'ok'
            ? `${theme.good('✓')} ${showName(event.name)} ${theme.faint(seconds(event.durationMs))}`
            : `${theme.bad('✗')} ${showName(event.name)}: ${event.message ?? event.code}`,
        )
        break
      default:
    }
  }

  /** Ends the line that is begun, as where a run is given up. */
  end(): void {
    this.#endLine()
  }

  #text(delta: string): void {
    const text = delta.replaceAll(hidden, '')
    const rest = this.#shown.slice(this.#repeated)
    if (rest !== '' && text !== '') {
      if (rest.startsWith(text)) {
        this.#repeated += text.length
        return
      }
      if (text.startsWith(rest)) {
        this.#repeated = this.#shown.length
        this.#write(text.slice(rest.length))
        return
      }
      // The new attempt says something else: it is shown from its start.
      const start = this.#shown.slice(0, this.#repeated)
      this.#endLine()
      this.#shown = ''
      this.#write(start + text)
      return
    }
    this.#write(text)
  }

  #endMessage(): void {
    // An earlier attempt had said more than the message is.
    const said = this.#shown.slice(0, this.#repeated)
    const isShort = said.length < this.#shown.length
    this.#endLine()
    if (isShort) this.#write(said)
    this.#endLine()
    this.#shown = ''
    this.#repeated = 0
  }

  #write(text: string): void {
    if (text === '') return
    this.#output.answer(text)
    this.#shown += text
    this.#repeated = this.#shown.length
    this.#isOpen = !text.endsWith('\n')
  }

  #aside(line: string): void {
    this.#endLine()
    this.#output.aside(line)
  }

  #endLine(): void {
    if (this.#isOpen) this.#output.answer('\n')
    this.#isOpen = false
  }
}

/** What a run cost, in one line. */
export function usageLine({ usage, turns, calls, provider, model }: AgentResult): string {
  const count = (value: number): string => value.toLocaleString('en-US')
  const cached = usage.cacheRead > 0 ? ` (${count(usage.cacheRead)} cached)` : ''
  const price = usage.cost.total > 0 ? ` · $${usage.cost.total.toFixed(usage.cost.total < 0.1 ? 4 : 2)}` : ''
  const sent = turns.reduce((sum, { wire }) => sum + wire.request, 0)
  return [
    `${showName(provider)}/${showName(model)}`,
    plural(turns.length, 'request'),
    plural(calls.length, 'tool call'),
    `${count(usage.input + usage.cacheRead + usage.cacheWrite)} tokens in${cached}, ${count(usage.output)} out`,
    `${count(sent)} bytes sent`,
  ]
    .join(' · ')
    .concat(price)
}

const endings: Readonly<Record<AgentResult['ended'], string | null>> = {
  stop: null,
  length: 'the answer was cut off: the model had written as much as it may',
  filtered: 'the provider did not let the answer through',
  'turn-limit': 'stopped: the run has made as many requests as it may',
  'byte-limit': 'stopped: the run has read as many bytes as it may',
}

/** What has to be said about how a run ended, or null where it ended well. */
export function endingLine({ ended }: AgentResult): string | null {
  return endings[ended]
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** A clause about "it" behind the provider's name. */
function clause(message: string): string {
  return cleanLine(message.replace(/^it /, ''), 300)
}

function argsOf(args: unknown): string {
  return cleanLine(JSON.stringify(redact(args)) ?? '', longestArgs)
}
