import { describe, expect, test } from 'vitest'
import { hasChromium } from '../helpers/chromium.ts'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { pages, webServer } from '../helpers/web-server.ts'

const on = { plugins: { entries: { browser: { enabled: true } } } }
const homeOf = (config: object) => tempDir({ '.openclaw/openclaw.json': JSON.stringify(config) })

describe('the browser of the built program', () => {
  test('comes with its plugin, and says what it needs', async () => {
    const off = await runCli(['tools', 'explain', 'browser'], { home: await homeOf({}) })
    expect(off.stdout).toContain('it comes with the plugin browser, which is not here')
    const home = await homeOf({ ...on, browser: { executablePath: '/nothing/chromium' } })
    const explained = await runCli(['tools', 'explain', 'browser'], { home })
    expect(explained.stdout).toMatch(/browser is visible[\s\S]*needs a browser at browser\.executablePath/)
    const called = await runJson(['tools', 'call', 'browser', '--args', '{action:"start"}'], { home })
    expect(called).toMatchObject({ code: 1, json: { error: { code: 'TOOL_UNAVAILABLE' } } })
  })

  test.skipIf(!hasChromium)('keeps its pages from call to call of one run (needs Chromium)', async () => {
    const server = await webServer(pages({ '/': '<title>Local</title><h1>Hello</h1><button>Press</button>' }))
    // A busy machine takes its time to start a browser.
    const tools = { toolSearch: { enabled: false, codeTimeoutMs: 60_000 } }
    const home = await homeOf({ ...on, tools, browser: { ssrfPolicy: { allowedHostnames: [server.host] } } })
    const code = `
      await openclaw.tools.call('browser', { action: 'open', url: '${server.origin}/' })
      const shown = await openclaw.tools.call('browser', { action: 'snapshot' })
      const text = shown.result.content[0].text
      await openclaw.tools.call('browser', { action: 'act', kind: 'click', ref: /button "Press" \\[ref=(e\\d+)/.exec(text)[1] })
      return text.includes('heading "Hello"')`
    const { code: exit, json } = await runJson(['tools', 'run', '--code', '-'], {
      home,
      stdin: code,
      limit: 60_000,
    })
    expect({ exit, json }).toMatchObject({
      exit: 0,
      json: { ok: true, value: true, telemetry: { callCount: 3 } },
    })
    expect(server.requests).toContain('GET /')
  })
})
