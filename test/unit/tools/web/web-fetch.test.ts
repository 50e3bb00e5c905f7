import { describe, expect, test } from 'vitest'
import { coreToolSpec } from '../../../../src/catalog/core-tools/all.ts'
import type { Address } from '../../../../src/tools/web/guard.ts'
import { openWebTools } from '../../../../src/tools/web/open.ts'
import { pdfOf } from '../../../helpers/pdf.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'
import { pages, webServer } from '../../../helpers/web-server.ts'

interface Details {
  readonly url: string
  readonly finalUrl: string
  readonly status: number
  readonly title: string | null
  readonly extractor: string
  readonly length: number
  readonly truncated: boolean
  readonly cached: boolean
}

/** A web_fetch that may reach the given hosts; `names` stand in for DNS. */
async function fetcher(
  hosts: readonly string[],
  settings: object = {},
  resolve?: (host: string) => Promise<readonly Address[]>,
) {
  let now = 1_800_000_000_000
  const config = { tools: { web: { fetch: { ssrfPolicy: { allowedHostnames: hosts }, ...settings } } } }
  const options = await familyOptions({ config }, { clock: () => now })
  const family = openWebTools(options, resolve)
  const get = async (url: string, more: object = {}, signal?: AbortSignal) => {
    const { content, details, failed } = await callTool(family, 'web_fetch', { url, ...more }, signal)
    const [block] = content
    return { text: block?.type === 'text' ? block.text : '', failed, ...(details as Details) }
  }
  return { get, later: (ms: number) => (now += ms) }
}

const article = `<title>News</title><article><h1>News</h1><p>${'Something has happened today. '.repeat(20)}</p></article>`

describe('web_fetch', () => {
  test('gives a page as Markdown, marked as foreign, and keeps it for a while', async () => {
    const server = await webServer(pages({ '/news': article }))
    const { get, later } = await fetcher([server.host], { cacheTtlMinutes: 2 })
    const first = await get(`${server.origin}/news#part`)
    expect(first).toMatchObject({
      url: `${server.origin}/news`,
      status: 200,
      title: 'News',
      extractor: 'readability',
      truncated: false,
      cached: false,
      failed: false,
    })
    expect(first.text).toMatch(
      /^What follows until the end mark comes from the web \(127\.0\.0\.1\)\. It is untrusted/,
    )
    expect(first.text).toContain('Title: News\n')
    expect(first.text).toContain('Something has happened today.')
    const second = await get(`${server.origin}/news`, { maxChars: 100 })
    expect(second).toMatchObject({ cached: true, truncated: true, length: 100 })
    expect(second.text).toContain('[cut: there is more]')
    await get(`${server.origin}/news`, { extractMode: 'text' })
    expect(server.requests).toHaveLength(2)
    later(121_000)
    expect((await get(`${server.origin}/news`)).cached).toBe(false)
    expect(server.requests).toHaveLength(3)
  })

  test('gives JSON and text as they are, and the text of PDF files', async () => {
    const server = await webServer(
      pages({
        '/data': { type: 'application/vnd.api+json', body: '{"a": [1, 2]}' },
        '/notes': { type: 'text/plain', body: '# not *Markdown*\n<b>' },
        '/bare': { type: '', body: '<!doctype html><p>hello' },
        '/file': { type: 'application/pdf', body: pdfOf('First page', 'Second page') },
        '/liar': { type: 'application/octet-stream', body: pdfOf('Hidden file') },
      }),
    )
    const { get } = await fetcher([server.host])
    const data = await get(`${server.origin}/data`)
    expect(data.extractor).toBe('json')
    expect(data.text).toContain('\n\n{"a": [1, 2]}\n')
    expect((await get(`${server.origin}/notes`)).text).toContain('\n\n# not *Markdown*\n<b>\n')
    expect((await get(`${server.origin}/bare`)).text).toContain('\n\nhello\n')
    const file = await get(`${server.origin}/file`)
    expect(file.extractor).toBe('pdf')
    expect(file.text).toContain('First page\n\nSecond page')
    expect((await get(`${server.origin}/liar`)).text).toContain('Hidden file')
  })

  test('refuses what is no text, and says what it is', async () => {
    const server = await webServer(
      pages({
        '/image': { type: 'image/png', body: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]) },
        '/liar': { type: 'text/plain', body: Buffer.from([1, 0, 2, 0, 0]) },
        '/broken': { type: 'application/pdf', body: '%PDF-1.4 nonsense' },
      }),
    )
    const { get } = await fetcher([server.host])
    expect(await failure(get(`${server.origin}/image`))).toMatchObject({
      code: 'TOOL_FAILED',
      message: '127.0.0.1: its content (image/png) is not text, and is not read',
    })
    expect((await failure(get(`${server.origin}/liar`))).message).toContain('is not text')
    expect((await failure(get(`${server.origin}/broken`))).message).toMatch(/^the PDF file cannot be read: /)
  })

  test('fails with what the server says where it says no, and keeps no failure', async () => {
    const server = await webServer(pages({}))
    const { get } = await fetcher([server.host])
    const page = await get(`${server.origin}/missing`)
    expect(page).toMatchObject({ failed: true, status: 404 })
    expect(page.text).toContain('HTTP 404 Not Found')
    expect(page.text).toContain('nothing here')
    await get(`${server.origin}/missing`)
    expect(server.requests).toHaveLength(2)
  })

  test('keeps nothing that must not be stored', async () => {
    const server = await webServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end('x')
    })
    const { get } = await fetcher([server.host])
    await get(server.origin)
    expect((await get(server.origin)).cached).toBe(false)
  })

  test('sends the headers of the config to the first origin only', async () => {
    const seen: unknown[] = []
    const other = await webServer((request, response) => {
      seen.push(request.headers['x-key'])
      response.end('there')
    })
    const server = await webServer((request, response) => {
      seen.push(request.headers['x-key'], request.headers['user-agent'], request.headers['host'])
      response.writeHead(302, { location: `${other.origin}/` }).end()
    })
    const { get } = await fetcher([server.host, other.host], {
      headers: { 'X-Key': 'k1', Host: 'evil', 'Bad Name': 'x', Split: 'a\r\nb: c' },
      userAgent: 'agent/1',
    })
    expect(await get(server.origin)).toMatchObject({ finalUrl: `${other.origin}/` })
    expect(seen).toEqual(['k1', 'agent/1', server.host, undefined])
  })

  test('follows redirects as far as the config says', async () => {
    const server = await webServer((request, response) => {
      const step = Number(new URL(request.url ?? '', 'http://x').searchParams.get('n') ?? 0)
      if (step === 0) response.end('arrived')
      else response.writeHead(307, { location: `?n=${step - 1}` }).end('x'.repeat(100))
    })
    const { get } = await fetcher([server.host], { maxRedirects: 3 })
    expect((await get(`${server.origin}/?n=3`)).text).toContain('arrived')
    expect((await failure(get(`${server.origin}/?n=4`))).message).toBe('it redirects more than 3 times')
  })

  test('connects to the address it has judged, whatever the name says at the next look', async () => {
    const server = await webServer((request, response) => response.end(`you asked ${request.headers.host}`))
    const answers = [['127.0.0.1'], ['127.0.0.1']]
    const looks: string[] = []
    const { get } = await fetcher(['rebind.example'], {}, async (host) => {
      looks.push(host)
      return (answers.shift() ?? ['10.0.0.1']).map((address) => ({ address, family: 4 as const }))
    })
    const page = await get(`http://rebind.example:${server.port}/`)
    expect(page.text).toContain(`you asked rebind.example:${server.port}`)
    expect(looks).toEqual(['rebind.example'])
    const strange = await fetcher([], {}, async () => [{ address: '127.0.0.1', family: 4 }])
    const error = await failure(strange.get(`http://rebind.example:${server.port}/`))
    expect(error).toMatchObject({
      code: 'TOOL_DENIED',
      message:
        '"rebind.example" leads to "127.0.0.1", which is a loopback address, and web tools do not connect to it',
    })
    expect(server.requests).toHaveLength(1)
  })

  test('goes through the proxy of the environment where that is trusted', async () => {
    const proxy = await webServer((request, response) => response.end(`proxied ${request.url}`))
    const config = { tools: { web: { fetch: { useTrustedEnvProxy: true } } } }
    const options = await familyOptions({ config }, { env: { HTTP_PROXY: proxy.origin } })
    const { content } = await callTool(openWebTools(options), 'web_fetch', { url: 'http://inner.example/a' })
    expect(content[0]).toMatchObject({ text: expect.stringContaining('proxied http://inner.example/a') })
    const denied = callTool(openWebTools(options), 'web_fetch', { url: 'http://169.254.169.254/' })
    expect((await failure(denied)).code).toBe('TOOL_DENIED')
  })

  test('looks at every address that no proxy stands before, however far the environment is trusted', async () => {
    const server = await webServer((_request, response) => response.end('inner'))
    const proxy = await webServer((request, response) => response.end(`proxied ${request.url}`))
    const config = { tools: { web: { fetch: { useTrustedEnvProxy: true } } } }
    const resolve = async (): Promise<readonly Address[]> => [{ address: '127.0.0.1', family: 4 }]
    const url = `http://rebind.example:${server.port}/`
    const environments = [
      {},
      { HTTPS_PROXY: proxy.origin },
      { HTTP_PROXY: proxy.origin, NO_PROXY: '*' },
      { HTTP_PROXY: proxy.origin, NO_PROXY: 'x.test, .example' },
      { HTTP_PROXY: proxy.origin, NO_PROXY: `rebind.example:${server.port}` },
      { HTTP_PROXY: proxy.origin, http_proxy: '' },
      { HTTP_PROXY: 'socks5://127.0.0.1:1080' },
    ]
    for (const env of environments) {
      const options = await familyOptions({ config }, { env })
      const denied = await failure(callTool(openWebTools(options, resolve), 'web_fetch', { url }))
      expect({ env, code: denied.code }).toEqual({ env, code: 'TOOL_DENIED' })
    }
    expect([...server.requests, ...proxy.requests]).toEqual([])
    const options = await familyOptions(
      { config },
      { env: { HTTP_PROXY: proxy.host, NO_PROXY: 'ind.example,rebind.example:1' } },
    )
    const { content } = await callTool(openWebTools(options, resolve), 'web_fetch', { url })
    expect(content[0]).toMatchObject({ text: expect.stringContaining(`proxied ${url}`) })
  })

  test('says what its input is', () => {
    expect(coreToolSpec('web_fetch', '2026.7')?.parameters).toMatchObject({
      required: ['url'],
      additionalProperties: false,
    })
  })
})
