import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'

/** One line of a page's console, or an error that its code did not catch. */
export interface ConsoleLine {
  readonly level: string
  readonly text: string
}

/** A page that is open. */
export interface Tab {
  readonly id: string
  readonly page: Page
  readonly console: ConsoleLine[]
  crashed: boolean
}

const mostTabs = 12
const mostLines = 200
const mostNotes = 20

/** The pages of a browser, with what they did unasked. */
export class Tabs {
  readonly #context: BrowserContext
  readonly #tabs = new Map<string, Tab>()
  #notes: string[] = []
  #count = 0
  #current: string | null = null
  /** Pages that were asked for; every other one is a popup. */
  #asked = 0

  constructor(context: BrowserContext) {
    this.#context = context
    for (const page of context.pages()) this.#add(page)
    context.on('page', (page) => this.#opened(page))
  }

  get all(): readonly Tab[] {
    return [...this.#tabs.values()]
  }

  get currentId(): string | null {
    return this.#current
  }

  /** What happened since somebody asked: dialogs, popups, downloads. */
  takeNotes(): readonly string[] {
    const notes = this.#notes
    this.#notes = []
    return notes
  }

  /** A tab by id, or the current one. TOOL_FAILED where it is not there or has crashed. */
  get(id: unknown): Tab {
    const name = typeof id === 'string' ? id : this.#current
    const tab = name === null ? undefined : this.#tabs.get(name)
    if (tab === undefined) {
      const open = this.all.map((each) => each.id).join(', ')
      throw new OpenClawError('TOOL_FAILED', name === null ? 'no tab is open' : `there is no tab ${name}`, {
        hints: [open === '' ? 'open a page first' : `tabs that are open: ${open}`],
      })
    }
    if (tab.crashed) throw new OpenClawError('TOOL_FAILED', `the page in tab ${tab.id} has crashed; close it`)
    return tab
  }

  focus(tab: Tab): void {
    this.#current = tab.id
  }

  /** A new empty tab, which is then the current one. TOOL_FAILED where too many are open. */
  async create(): Promise<Tab> {
    const blank = this.all.find(({ page, crashed }) => !crashed && page.url() === 'about:blank')
    if (blank !== undefined) {
      this.#current = blank.id
      return blank
    }
    if (this.#tabs.size >= mostTabs) {
      throw new OpenClawError('TOOL_FAILED', `${mostTabs} tabs are open, and no more are opened`, {
        hints: ['close one of them'],
      })
    }
    this.#asked += 1
    try {
      const page = await this.#context.newPage()
      const tab = this.all.find((each) => each.page === page) ?? this.#add(page)
      this.#current = tab.id
      return tab
    } finally {
      this.#asked -= 1
    }
  }

  #opened(page: Page): void {
    if (this.#asked === 0 && this.#tabs.size >= mostTabs) {
      this.#note('a popup was closed, because too many tabs are open')
      page.close().catch(() => {})
      return
    }
    const tab = this.#add(page)
    if (this.#asked === 0) this.#note(`a page opened tab ${tab.id}`)
  }

  #add(page: Page): Tab {
    const known = this.all.find((each) => each.page === page)
    if (known !== undefined) return known
    this.#count += 1
    const tab: Tab = { id: `t${this.#count}`, page, console: [], crashed: false }
    this.#tabs.set(tab.id, tab)
    this.#current ??= tab.id
    const log = (level: string, text: string): void => {
      if (tab.console.length >= mostLines) tab.console.shift()
      tab.console.push({ level: cleanLine(level, 20), text: cleanLine(text, 500) })
    }
    page.on('console', (message: ConsoleMessage) => log(message.type(), message.text()))
    page.on('pageerror', (error) => log('error', error.message))
    page.on('crash', () => (tab.crashed = true))
    page.on('dialog', (dialog) => {
      // Staying on a page is not the page's to decide.
      const isLeaving = dialog.type() === 'beforeunload'
      ;(isLeaving ? dialog.accept() : dialog.dismiss()).catch(() => {})
      if (!isLeaving)
        this.#note(`a dialog (${dialog.type()}) was dismissed: ${cleanLine(dialog.message(), 200)}`)
    })
    page.on('download', (file) => {
      file.cancel().catch(() => {})
      this.#note(`a download was not taken: ${cleanLine(file.suggestedFilename(), 100)}`)
    })
    page.on('filechooser', () => this.#note('a page asked for a file and got none'))
    page.once('close', () => {
      this.#tabs.delete(tab.id)
      if (this.#current === tab.id) this.#current = this.all.at(-1)?.id ?? null
    })
    return tab
  }

  #note(text: string): void {
    if (this.#notes.length < mostNotes) this.#notes.push(text)
  }
}
