import { Bench, type CallResult } from '../bench.ts'
import { json, page } from '../local-site.ts'
import { defineScenario, type Check } from '../scenario.ts'

/** What the web tools gave, and what the site was asked. */
export interface WebEvidence {
  /** web_search, web_fetch of a hit, web_fetch of an address that redirects inwards, and of one that is not opened. */
  readonly done: readonly CallResult[]
  /** Paths the site was asked for, in order. */
  readonly asked: readonly string[]
}

const sessionKey = 'agent:main:qa-web'

/** Asserted about that. */
export const webChecks: readonly Check<WebEvidence>[] = [
  {
    id: 'search-finds',
    title: 'A search asks the configured provider and gives its hits',
    judge: ({ done, asked }) => {
      if (!asked.some((path) => path.startsWith('/search?') && path.includes('lighthouse')))
        return `the site was asked for ${asked.join(' ')}`
      return done[0]?.text.includes('The lighthouse of Ypres') ? null : `web_search gave ${done[0]?.text}`
    },
  },
  {
    id: 'page-is-read',
    title: 'A page comes as readable text, marked as that of a stranger',
    judge: ({ done }) => {
      const text = done[1]?.text ?? ''
      return text.includes('It burns at night.') && /untrusted/i.test(text) && !text.includes('<p>')
        ? null
        : `web_fetch gave ${text}`
    },
  },
  {
    id: 'redirects-are-judged',
    title: 'A redirect to an address that is not open is not followed',
    judge: ({ done, asked }) => {
      if (!asked.includes('/inwards')) return 'the site was not asked'
      return done[2]?.failed === true && asked.every((path) => path !== '/admin')
        ? null
        : `web_fetch gave ${done[2]?.text}`
    },
  },
  {
    id: 'this-machine-is-closed',
    title: 'Addresses of this machine are closed unless the config opens them',
    judge: ({ done }) =>
      done[3]?.failed === true && /private|loopback|not open|this machine|address/i.test(done[3].text)
        ? null
        : `web_fetch gave ${done[3]?.text}`,
  },
]

/** The web as a model has it: a search, a page, and nothing of what is not meant for it. */
export const webTools = defineScenario<WebEvidence>({
  id: 'web-tools',
  title: 'The web tools search and read, and do not reach into this machine',
  limitMs: 60_000,
  async drive(lab) {
    const site = await lab.site(({ path }) => {
      if (path.startsWith('/search?')) {
        const hit = {
          title: 'The lighthouse of Ypres',
          url: 'https://example.com/light',
          content: 'It burns.',
        }
        return json({ query: 'lighthouse', results: [hit] })
      }
      if (path === '/light') return page('The lighthouse', 'It burns at night. '.repeat(20))
      if (path === '/inwards') return { status: 302, type: 'text/html', body: '' }
      return null
    })
    const closed = await lab.site(() => page('Admin', 'Nobody should see this.'))
    const bench = await lab.step('the Gateway starts with a search provider', () =>
      Bench.open(lab, {
        name: 'web',
        tools: 1,
        config: {
          tools: {
            profile: 'minimal',
            alsoAllow: ['group:web'],
            web: {
              search: { provider: 'searxng' },
              fetch: { ssrfPolicy: { allowedHostnames: [site.host] } },
            },
          },
          plugins: { entries: { searxng: { config: { webSearch: { baseUrl: site.url } } } } },
        },
      }),
    )
    const fetchOf = (url: string): string => `then web_fetch ${JSON.stringify({ url })}`
    const lines = [
      'then web_search {"query":"lighthouse"}',
      fetchOf(`${site.url}/light`),
      fetchOf(`${site.url}/inwards`),
      fetchOf(`${closed.url}/admin`),
    ]
    await lab.step('a turn searches and reads', () => bench.turn(sessionKey, lines.join('\n')))
    const done = await bench.results(sessionKey)
    await lab.step('the Gateway ends', () => bench.stop())
    return { done, asked: [...site.requests, ...closed.requests].map(({ path }) => path) }
  },
  checks: webChecks,
})
