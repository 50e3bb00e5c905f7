import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stdinFile } from '../../config/find.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { openCase, type Case, type CaseOptions } from '../case.ts'
import type { DialOptions } from '../mcp-servers.ts'
import { fileStamp } from './stored-entries.ts'

/** Milliseconds between two looks at the files of the config. */
const lookMs = 500

/** A config in force. */
export interface AcceptedConfig {
  readonly each: Case
  /** Counts up whenever another one comes into force. */
  readonly revision: number
}

export interface ConfigStateOptions {
  readonly options: CaseOptions
  /** Told of a config that has come into force, and of one that is not taken and why. */
  readonly onAccepted: (now: AcceptedConfig) => void
  readonly onProblem: (problem: string | null) => void
}

/** The config of a running server: the newest version of the files that is valid. */
export class ConfigState {
  readonly #options: ConfigStateOptions
  #current: AcceptedConfig
  #stamp: string
  #problem: string | null = null
  #timer: NodeJS.Timeout | undefined
  #loading: Promise<void> | null = null

  private constructor(each: Case, options: ConfigStateOptions) {
    this.#options = options
    this.#current = { each, revision: 1 }
    this.#stamp = stampAsRead(each)
  }

  /** Reads the config for the first time. Errors as `openCase`. */
  static async open(options: ConfigStateOptions): Promise<ConfigState> {
    return new ConfigState(await openCase(options.options, { request: {} }), options)
  }

  get current(): AcceptedConfig {
    return this.#current
  }

  /** Why the newest version is not in force; null where it is. */
  get problem(): string | null {
    return this.#problem
  }

  /** Looks at the files from now on. A config on standard input never changes. */
  watch(): void {
    if (this.#current.each.file === stdinFile) return
    this.#timer = setInterval(() => void this.refresh(), lookMs)
    this.#timer.unref()
  }

  /** Reads the config again if its files have changed, or the last version was not valid. */
  refresh(): Promise<void> {
    this.#loading ??= this.#refresh().finally(() => {
      this.#loading = null
    })
    return this.#loading
  }

  /** Judges the same config by what MCP servers say now; false where another config has come meanwhile, and nothing of it is in force. */
  async dial(dial: DialOptions): Promise<boolean> {
    const before = this.#current
    const each = await this.#read({ ...this.#options.options, dial })
    if (this.#current !== before || stampOf(each) !== this.#stamp) return false
    this.#accept(each)
    return true
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #refresh(): Promise<void> {
    const stamp = stampOf(this.#current.each)
    // An include that was missing may be there now, and no stamp knows of it.
    if (stamp === this.#stamp && this.#problem === null) return
    try {
      const each = await this.#read(this.#options.options)
      const isSame = stamp === this.#stamp && this.#problem === null
      this.#stamp = stampAsRead(each)
      if (this.#problem !== null) this.#options.onProblem(null)
      this.#problem = null
      if (!isSame) this.#accept(each)
    } catch (error) {
      this.#stamp = stamp
      const problem = problemOf(error)
      if (problem !== this.#problem) this.#options.onProblem(problem)
      this.#problem = problem
    }
  }

  /** Errors as `openCase`, and CONFIG_NOT_FOUND where the file has gone: editors take it away for a moment, and defaults deny nothing. */
  async #read(options: CaseOptions): Promise<Case> {
    const each = await openCase(options, { request: {} })
    const before = this.#current.each.loaded
    const isElsewhere = each.loaded?.exists === false || each.file !== before?.file
    if (before?.exists === true && isElsewhere && fileStamp(before.file) === '-') {
      throw new OpenClawError('CONFIG_NOT_FOUND', `${before.file} is gone`)
    }
    return each
  }

  #accept(each: Case): void {
    this.#current = { each, revision: this.#current.revision + 1 }
    this.#options.onAccepted(this.#current)
  }
}

function problemOf(error: unknown): string {
  if (error instanceof OpenClawError) return error.message
  return `the config cannot be read: ${error instanceof Error ? error.message : String(error)}`
}

/** The stamp of the files that a config was read from; empty, so that they are read again, where they have changed since. */
function stampAsRead(each: Case): string {
  const { loaded } = each
  const stamp = stampOf(each)
  if (loaded === null || loaded.file === stdinFile) return stamp
  const texts = new Map([...loaded.documents].map(([file, { text }]) => [file, text]))
  texts.set(loaded.file, loaded.document?.text ?? '')
  return [...texts].every(([file, text]) => textIn(file) === withoutMark(text)) ? stamp : ''
}

function textIn(file: string): string {
  try {
    return withoutMark(readFileSync(file, 'utf8'))
  } catch {
    return ''
  }
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

/** What tells one state of the files that a config came from from another. */
function stampOf({ loaded }: Case): string {
  if (loaded === null || loaded.file === stdinFile) return ''
  return [loaded.file, ...loaded.documents.keys(), join(loaded.stateDir, '.env')].map(fileStamp).join('\n')
}
