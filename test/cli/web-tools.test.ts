import { describe, expect, test } from 'vitest'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { webServer } from '../helpers/web-server.ts'

async function homeOf(config: object): Promise<string> {
  return tempDir({ '.openclaw/openclaw.json': JSON.stringify(config) })
}

describe('the web tools of the built program', () => {
  test('fetch a page of this machine only where its owner has said so', async () => {
    const page = `<title>Local</title><article><p>${'Something to read here. '.repeat(20)}</p></article>`
    const server = await webServer((_request, response) => response.end(page))
    const args = ['tools', 'call', 'web_fetch', '--args', JSON.stringify({ url: server.origin })]
    const home = await homeOf({})
    const denied = await runJson(args, { home })
    expect(denied.code).toBe(3)
    expect(denied.json).toMatchObject({
      error: {
        code: 'TOOL_DENIED',
        message: '"127.0.0.1" is a loopback address, and web tools do not connect to it',
        hints: [
          `if tools may reach it: openclaw config set tools.web.fetch.ssrfPolicy.allowedHostnames --append "${server.host}"`,
        ],
      },
    })
    // The hint, word for word.
    const path = 'tools.web.fetch.ssrfPolicy.allowedHostnames'
    const set = await runCli(['config', 'set', path, '--append', server.host], { home })
    expect(set.code).toBe(0)
    const { code, stdout } = await runCli(args, { home })
    expect(code).toBe(0)
    expect(stdout).toContain('Title: Local\n')
    expect(stdout).toContain('Something to read here.')
    expect(server.requests).toEqual(['GET /'])
  })

  test('search through the configured provider, with a key from a variable', async () => {
    const keys: unknown[] = []
    const server = await webServer((request, response) => {
      keys.push(request.headers['x-subscription-token'])
      response.end(JSON.stringify({ web: { results: [{ title: 'Hit', url: 'https://a.example/' }] } }))
    })
    const webSearch = { apiKey: '${SEARCH_KEY}', baseUrl: server.origin }
    const home = await homeOf({ plugins: { entries: { brave: { config: { webSearch } } } } })
    const call = ['tools', 'call', 'web_search', '--args', '{query:"x"}']
    const { code, stdout } = await runCli(call, { home, env: { SEARCH_KEY: 'from-env' } })
    expect({ code, keys }).toEqual({ code: 0, keys: ['from-env'] })
    expect(stdout).toContain('1. Hit\n   https://a.example/')
  })

  test('say what they need where they are explained and where they are called', async () => {
    const home = await homeOf({})
    const explained = await runCli(['tools', 'explain', 'web_search'], { home })
    expect(explained.stdout).toContain('needs a web search provider')
    const called = await runJson(['tools', 'call', 'web_search', '--args', '{query:"x"}'], { home })
    expect(called.code).toBe(1)
    expect(called.json).toMatchObject({
      error: { code: 'TOOL_UNAVAILABLE', message: 'web_search needs a web search provider' },
    })
  })

  test('check their input before anything is asked', async () => {
    const home = await homeOf({})
    const { code, json } = await runJson(
      ['tools', 'call', 'web_fetch', '--args', '{url:"file:///etc/passwd"}'],
      { home },
    )
    expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: 'INPUT_INVALID' } } })
    const wrong = await runJson(['tools', 'call', 'web_fetch', '--args', '{uri:"https://a.example/"}'], {
      home,
    })
    expect(wrong.json).toMatchObject({ error: { code: 'INPUT_INVALID' } })
  })
})
