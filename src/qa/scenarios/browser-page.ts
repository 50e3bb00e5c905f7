import { Bench, type CallResult } from '../bench.ts'
import { defineScenario, type Check, type Variables } from '../scenario.ts'
import { browserSettings, findBrowser } from '../../tools/browser/settings.ts'

/** What the browser gave. */
export interface BrowserEvidence {
  /** open, snapshot, act, snapshot, screenshot, and open of an address that is closed. */
  readonly done: readonly CallResult[]
  /** Paths the sites were asked for. */
  readonly asked: readonly string[]
}

const sessionKey = 'agent:main:qa-browser'

/** Asserted about that. */
export const browserChecks: readonly Check<BrowserEvidence>[] = [
  {
    id: 'page-is-shown',
    title: 'A page is opened, and its snapshot names what can be clicked',
    judge: ({ done }) => (done[1]?.text.includes('Ring the bell') ? null : `snapshot gave ${done[1]?.text}`),
  },
  {
    id: 'button-works',
    title: 'A click in the next turn does what the page does with it',
    judge: ({ done }) =>
      done[3]?.text.includes('The bell has rung') ? null : `snapshot gave ${done[3]?.text}`,
  },
  {
    id: 'picture-is-taken',
    title: 'A screenshot comes as an image',
    judge: ({ done }) => (done[4]?.images === 1 ? null : `screenshot gave ${done[4]?.text}`),
  },
  {
    id: 'this-machine-is-closed',
    title: 'Addresses that are not open are neither opened nor loaded by a page',
    judge: ({ done, asked }) => {
      if (asked.some((path) => path.startsWith('/closed'))) return `it loaded ${asked.join(' ')}`
      return done[5]?.failed === true ? null : `open gave ${done[5]?.text}`
    },
  },
]

const html = (closed: string): string => `<!doctype html><html><head><title>Bell</title></head><body>
<button id="b" onclick="document.getElementById('t').textContent = 'The bell has rung'">Ring the bell</button>
<p id="t">All is quiet</p><img src="${closed}/closed.png" alt=""></body></html>`

/** Why this machine drives no browser, or null. */
export async function noBrowser(env: Variables): Promise<string | null> {
  if (findBrowser(browserSettings({}), env['PATH']) === null) return 'no Chromium is installed'
  try {
    await import('playwright-core')
    return null
  } catch {
    return 'playwright-core is not installed'
  }
}

/** A model drives a real browser over a page of this machine. */
export const browserPage = defineScenario<BrowserEvidence>({
  id: 'browser-page',
  title: 'A real browser shows a page, clicks on it and keeps out of this machine',
  limitMs: 120_000,
  skip: noBrowser,
  async drive(lab) {
    const closed = await lab.site(() => ({ body: 'closed' }))
    const site = await lab.site(({ path }) =>
      path === '/' ? { type: 'text/html; charset=utf-8', body: html(closed.url) } : null,
    )
    const bench = await lab.step('the Gateway starts with a browser', () =>
      Bench.open(lab, {
        name: 'browser',
        tools: 1,
        config: {
          tools: { allow: ['browser'] },
          browser: { ssrfPolicy: { allowedHostnames: [site.host] } },
        },
        plugins: { browser: { enabled: true } },
      }),
    )
    const act = (args: object): string => `then browser ${JSON.stringify(args)}`
    // The first element that a snapshot names is the page, the second one the button.
    const first = [act({ action: 'open', url: `${site.url}/` }), act({ action: 'snapshot' })]
    await lab.step('a turn opens a page', () => bench.turn(sessionKey, first.join('\n')))
    const second = [
      act({ action: 'act', kind: 'click', ref: 'e2' }),
      act({ action: 'snapshot' }),
      act({ action: 'screenshot' }),
      act({ action: 'open', url: `${closed.url}/closed` }),
    ]
    await lab.step('the next turn clicks, looks and tries a closed address', () =>
      bench.turn(sessionKey, second.join('\n')),
    )
    const done = await bench.results(sessionKey)
    await lab.step('the Gateway ends', () => bench.stop())
    return { done, asked: [...site.requests, ...closed.requests].map(({ path }) => path) }
  },
  checks: browserChecks,
})
