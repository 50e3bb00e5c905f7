import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import type { Args, ContentBlock, ToolResult } from '../../calls/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { CoreTool, OpenFamily } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { asExternal, safeText } from '../web/external-text.ts'
import type { Resolve } from '../web/guard.ts'
import { act } from './act.ts'
import { refusedHeader } from './guard-proxy.ts'
import { BrowserSession, type Running } from './session.ts'
import type { Tab } from './tabs.ts'
import { within } from './within.ts'

const navigateMs = 30_000
const lookMs = 15_000
const snapshotChars = 40_000
const largestImage = 4 * 1024 * 1024
/** Longest part of a page that a picture shows, in CSS pixels. */
const tallest = 8_000

/** The browser tool of a run; where the program keeps browsers, that of the session. `resolve` finds the addresses of names instead of DNS. */
export function openBrowser(options: CodingToolOptions, resolve?: Resolve): OpenFamily {
  const shelf = options.services.browsers
  const make = (): BrowserSession => new BrowserSession(options, resolve)
  const own = shelf === undefined ? make() : null
  const tool: CoreTool = {
    run: async (args, { signal }) => {
      const { action } = args
      const session = own ?? shelf?.of(options, make) ?? make()
      if (action === 'stop') {
        const ended = await session.stop()
        return { result: plain(ended ? 'the browser has ended' : 'no browser runs', { running: false }) }
      }
      if (action === 'status' && session.running === null) {
        return { result: plain('no browser runs', { running: false, tabs: [] }) }
      }
      const running = await within('starting the browser', 60_000, signal, session.start())
      // What was refused before is not this call's.
      running.proxy.refusals()
      const result = await perform(running, args, signal, session.dir)
      return { result: withNotes(running, result) }
    },
  }
  return {
    tools: { browser: tool },
    close: async () => {
      await own?.stop()
    },
  }
}

async function perform(running: Running, args: Args, signal: AbortSignal, dir: string): Promise<ToolResult> {
  const { tabs, launched } = running
  switch (args['action']) {
    case 'status':
    case 'start':
    case 'tabs':
      return list(running, signal)
    case 'open':
      return go(running, await within('opening a tab', lookMs, signal, tabs.create()), args, signal)
    case 'navigate': {
      const tab = tabs.all.length === 0 ? await tabs.create() : tabs.get(args['tab'])
      return go(running, tab, args, signal)
    }
    case 'focus': {
      const tab = tabs.get(args['tab'])
      tabs.focus(tab)
      await within('showing the tab', lookMs, signal, tab.page.bringToFront())
      return place(tab, 'this tab is the current one', signal)
    }
    case 'close': {
      const tab = tabs.get(args['tab'])
      await within('closing the tab', lookMs, signal, tab.page.close({ runBeforeUnload: false }))
      return plain(`closed ${tab.id}`, { closed: tab.id, tabs: tabs.all.map(({ id }) => id) })
    }
    case 'snapshot':
      return snapshot(tabs.get(args['tab']), args, signal)
    case 'screenshot':
      return screenshot(tabs.get(args['tab']), args, signal)
    case 'act': {
      const tab = tabs.get(args['tab'])
      const done = await act(tab.page, args, signal)
      // What an act sets off mostly loads at once.
      await tab.page.waitForLoadState('domcontentloaded', { timeout: 3_000 }).catch(() => {})
      return place(tab, done, signal)
    }
    case 'console': {
      const tab = tabs.get(args['tab'])
      const most = typeof args['limit'] === 'number' ? args['limit'] : 50
      const lines = tab.console.slice(-most)
      const text = lines.map(({ level, text: said }) => `[${level}] ${said}`).join('\n')
      return foreign(text === '' ? 'The console is empty.' : text, 'the console of a web page', {
        tab: tab.id,
        lines,
      })
    }
    case 'pdf': {
      const tab = tabs.get(args['tab'])
      const files = join(dir, 'files')
      makeDirectory(files)
      const path = join(files, `page-${randomBytes(6).toString('hex')}.pdf`)
      await within('printing', lookMs, signal, tab.page.pdf({ path, printBackground: true }))
      return plain(`the page is in ${path}`, { tab: tab.id, path, profile: launched.profile })
    }
    default:
      throw new OpenClawError('INPUT_INVALID', 'the action is not known')
  }
}

async function list({ tabs, launched }: Running, signal: AbortSignal): Promise<ToolResult> {
  const open = await Promise.all(
    tabs.all.map(async (tab) => ({
      id: tab.id,
      current: tab.id === tabs.currentId,
      ...(await where(tab, signal)),
    })),
  )
  const lines = open.map(({ id, current, url, title }) => `${current ? '*' : ' '} ${id}  ${url}  ${title}`)
  return foreign(lines.join('\n') || 'No tab is open.', 'pages that are open in the browser', {
    running: true,
    profile: launched.profile,
    tabs: open,
  })
}

async function go(running: Running, tab: Tab, args: Args, signal: AbortSignal): Promise<ToolResult> {
  const { guard, proxy, tabs } = running
  const { url: wanted } = args
  if (typeof wanted !== 'string') throw new OpenClawError('INPUT_INVALID', 'this action needs url')
  const url = guard.check(wanted.trim())
  // Said before anything is loaded; the way to the web checks it again, with every address that follows.
  await within('looking the host up', lookMs, signal, guard.addresses(url))
  tabs.focus(tab)
  const timeout = typeof args['timeoutMs'] === 'number' ? args['timeoutMs'] : navigateMs
  const loading = tab.page.goto(url.href, { timeout, waitUntil: 'domcontentloaded' })
  let status: number | null = null
  try {
    const response = await within(`loading ${guardedHost(url)}`, timeout, signal, loading)
    status = response?.status() ?? null
    if (response?.headers()[refusedHeader] === 'yes') throw refused(proxy.refusals().at(-1))
  } catch (error) {
    const refusal = proxy.refusals().at(-1)
    // A tunnel that is refused looks like a broken connection to the browser.
    if (refusal !== undefined && error instanceof OpenClawError && error.code === 'TOOL_FAILED')
      throw refused(refusal)
    if (error instanceof OpenClawError && /net::ERR_ABORTED|Download is starting/.test(error.message)) {
      throw new OpenClawError('TOOL_FAILED', `${guardedHost(url)} is no page to show; it may be a download`, {
        hints: ['web_fetch reads files of text and PDF'],
      })
    }
    throw error
  }
  const result = await place(tab, status === null ? 'loaded' : `loaded with HTTP ${status}`, signal)
  return { ...result, details: { ...Object(result.details), status } }
}

function refused(refusal: OpenClawError | undefined): OpenClawError {
  return (
    refusal ??
    new OpenClawError('TOOL_DENIED', 'the page leads to an address that web tools do not connect to')
  )
}

function guardedHost(url: URL): string {
  return cleanLine(url.host, 120)
}

async function where(
  tab: Tab,
  signal: AbortSignal,
): Promise<{ readonly url: string; readonly title: string }> {
  const title = await within('reading the title', 3_000, signal, tab.page.title()).catch((error: unknown) => {
    if (signal.aborted) throw error
    return ''
  })
  return { url: cleanLine(tab.page.url(), 2_000), title: cleanLine(title, 200) }
}

async function place(tab: Tab, done: string, signal: AbortSignal): Promise<ToolResult> {
  const at = await where(tab, signal)
  const body = `Tab: ${tab.id}\nURL: ${at.url}\nTitle: ${at.title}`
  const { content, details } = foreign(body, 'a web page', { tab: tab.id, ...at })
  return { content: [{ type: 'text', text: `${done}\n` }, ...content], details }
}

async function snapshot(tab: Tab, args: Args, signal: AbortSignal): Promise<ToolResult> {
  const most = typeof args['maxChars'] === 'number' ? args['maxChars'] : snapshotChars
  const tree = await within(
    'the snapshot',
    lookMs,
    signal,
    tab.page.ariaSnapshot({ mode: 'ai', timeout: lookMs }),
  )
  const at = await where(tab, signal)
  const { text, truncated } = safeText(tree, most)
  const rest = truncated ? '\n[cut: there is more; name maxChars for it]' : ''
  return foreign(`URL: ${at.url}\nTitle: ${at.title}\n\n${text}${rest}`, 'a web page', {
    tab: tab.id,
    ...at,
    length: text.length,
    truncated,
  })
}

async function screenshot(tab: Tab, args: Args, signal: AbortSignal): Promise<ToolResult> {
  const { page } = tab
  const full = args['fullPage'] === true
  const options = { timeout: lookMs, animations: 'disabled', caret: 'hide' } as const
  const height = full
    ? await within(
        'measuring the page',
        lookMs,
        signal,
        page.evaluate('document.documentElement.scrollHeight'),
      )
    : 0
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  const clip =
    full && typeof height === 'number'
      ? {
          fullPage: true,
          clip: { x: 0, y: 0, width: size.width, height: Math.max(1, Math.min(height, tallest)) },
        }
      : {}
  const take = (type: 'png' | 'jpeg') =>
    within(
      'the screenshot',
      lookMs,
      signal,
      page.screenshot({ ...options, ...clip, type, ...(type === 'jpeg' && { quality: 70 }) }),
    )
  let type: 'png' | 'jpeg' = args['format'] === 'jpeg' ? 'jpeg' : 'png'
  let image = await take(type)
  if (image.length > largestImage && type === 'png') {
    type = 'jpeg'
    image = await take(type)
  }
  if (image.length > largestImage) {
    throw new OpenClawError('OUTPUT_LIMIT', `the screenshot has more than ${largestImage / 1024 / 1024} MB`, {
      hints: ['take one of what is in view: leave fullPage out'],
    })
  }
  const at = await where(tab, signal)
  const mimeType = `image/${type}`
  const { content, details } = foreign(`URL: ${at.url}\nTitle: ${at.title}`, 'a web page, as is the image', {
    tab: tab.id,
    ...at,
    mimeType,
    bytes: image.length,
    cut: typeof height === 'number' && height > tallest,
  })
  return { content: [...content, { type: 'image', data: image.toString('base64'), mimeType }], details }
}

function plain(text: string, details: object): ToolResult {
  return { content: [{ type: 'text', text }], details }
}

function foreign(text: string, source: string, details: object): ToolResult {
  return {
    content: [{ type: 'text', text: asExternal(text, source) }],
    details: { ...details, untrusted: true },
  }
}

/** What the page did unasked, and where it wanted to go and could not. */
function withNotes({ tabs, proxy }: Running, result: ToolResult): ToolResult {
  const notes = [...tabs.takeNotes(), ...proxy.refusals().map((refusal) => `not reached: ${refusal.message}`)]
  if (notes.length === 0) return result
  const unique = [...new Set(notes)]
  const block: ContentBlock = {
    type: 'text',
    text: asExternal(unique.join('\n'), 'what the page did meanwhile'),
  }
  return { content: [...result.content, block], details: { ...Object(result.details), notes: unique } }
}
