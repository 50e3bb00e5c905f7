import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testBrowser } from '../helpers/browser-family.ts'
import { hasChromium } from '../helpers/chromium.ts'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, tempDir } from '../helpers/run-cli.ts'
import { failure } from '../helpers/tool-family.ts'
import { webServer } from '../helpers/web-server.ts'

/** Processes that were started with a text in their arguments. */
function processesWith(text: string): number {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  }).length
}

describe.skipIf(!hasChromium)('a hostile page (needs Chromium)', () => {
  test('reaches nothing on this machine, opened or asked for: by picture, script, frame, socket, redirect or another name', async () => {
    const secret = await webServer((_request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      response.end('secret')
    })
    const inner = `127.0.0.1:${secret.port}`
    const page = `<title>Busy</title><img src="http://${inner}/image"><iframe src="http://${inner}/frame"></iframe>
      <link rel="stylesheet" href="http://0x7f000001:${secret.port}/style"><img src="http://localhost:${secret.port}/name">
      <img src="/bounce"><iframe src="file:///etc/passwd"></iframe><img src="http://evil.example:${secret.port}/rebound">
      <script>
        const done = new Set(); const end = (what) => { done.add(what); if (done.size === 4) document.title = 'Done' }
        fetch('http://${inner}/fetch').catch(() => {}).then(() => end('fetch'))
        fetch('/bounce', { method: 'POST', body: 'x' }).catch(() => {}).then(() => end('bounce'))
        new WebSocket('ws://${inner}/socket').onerror = () => end('socket')
        navigator.sendBeacon('http://${inner}/beacon', 'x')
        new EventSource('http://${inner}/events').onerror = () => end('events')
      </script>`
    const server = await webServer((request, response) => {
      if (request.url === '/redirect') response.writeHead(302, { location: `${secret.origin}/` }).end()
      else if (request.url === '/bounce')
        response.writeHead(307, { location: `http://${inner}/bounced` }).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    })
    const { call, details } = await testBrowser([server.host], async (host) =>
      host === 'evil.example' ? [{ address: '127.0.0.1', family: 4 }] : [],
    )
    const first = await details('open', { url: server.origin })
    const notes = [...(first.notes ?? [])]
    await expect
      .poll(
        async () => {
          const now = await details('status')
          notes.push(...(now.notes ?? []))
          return (now['tabs'] as { title: string }[])[0]?.title
        },
        { timeout: 15_000 },
      )
      .toBe('Done')
    expect(notes.join('\n')).toContain('not reached: "127.0.0.1" is a loopback address')
    for (const url of [
      'file:///etc/passwd',
      'chrome://settings',
      'view-source:http://a.example',
      'javascript:1',
      'about:blank',
      'data:text/html,x',
    ]) {
      expect((await failure(call('open', { url }))).code).toBe('INPUT_INVALID')
    }
    for (const url of [
      secret.origin,
      'http://169.254.169.254/',
      'http://localhost:8080/',
      `${server.origin}/redirect`,
    ]) {
      expect((await failure(call('open', { url }))).code).toBe('TOOL_DENIED')
    }
    expect(secret.requests).toEqual([])
  })

  test('asks, floods with windows, and sends files: nothing waits for it', async () => {
    const page = `<title>Pushy</title><button onclick="for (let i = 0; i < 30; i++) window.open('/empty')">Go</button>
      <script>alert('one'); confirm('two'); prompt('three'); onbeforeunload = () => 'stay'
      Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => { document.title = 'Located' }, () => { document.title = 'Nowhere' })
      </script>`
    const server = await webServer((request, response) => {
      if (request.url === '/file') {
        response
          .writeHead(200, { 'content-disposition': "attachment; filename*=UTF-8''evil%E2%80%AEfdp.exe" })
          .end('MZ')
      } else {
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(request.url === '/' ? page : '<title>Empty</title>')
      }
    })
    const { call, details } = await testBrowser([server.host])
    const opened = await details('open', { url: `${server.origin}/` })
    expect(opened.notes?.join('\n')).toMatch(
      /dialog \(alert\) was dismissed: one\n.*\(confirm\).*\n.*\(prompt\)/,
    )
    await call('snapshot')
    await call('act', { kind: 'click', ref: 'e2' })
    const { tabs } = (await details('tabs')) as { readonly tabs?: readonly unknown[] }
    expect(tabs?.length).toBeLessThanOrEqual(12)
    expect((await failure(call('navigate', { url: `${server.origin}/file`, tab: 't1' }))).message).toContain(
      'it may be a download',
    )
    expect(await details('navigate', { url: `${server.origin}/next`, tab: 't1' })).toMatchObject({
      title: 'Empty',
    })
  })

  test('runs for ever: every action ends, and so does the browser', async () => {
    const server = await webServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>Loop</title><script>for (;;);</script>')
    })
    const { call, details, stateDir } = await testBrowser([server.host])
    await call('start')
    expect(await failure(call('open', { url: server.origin, timeoutMs: 500 }))).toMatchObject({
      code: 'TIMEOUT',
      message: `loading ${server.host} did not end within 0.5 s`,
    })
    const controller = new AbortController()
    const snapshot = call('snapshot', {}, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 100)
    await expect(snapshot).rejects.toThrow('enough')
    expect(await details('stop')).toEqual({ running: false })
    await expect.poll(() => processesWith(`${stateDir}/browser`), { timeout: 15_000 }).toBe(0)
  })
})

describe.skipIf(!hasChromium)('a browser and its program (need Chromium)', () => {
  test('end together, however the program ends; a second one gets a profile of its own', async () => {
    const home = await tempDir({
      'program.ts': `
        import { openBrowser } from '${projectRoot}src/tools/browser/browser.ts'
        const view = () => ({ config: {}, context: { agentId: 'main', sandboxed: false } })
        const family = openBrowser({ view, stateDir: process.argv[2], env: process.env, services: {} })
        const { result } = await family.tools.browser.run({ action: 'start' }, { callId: 'c', signal: new AbortController().signal, onUpdate() {} })
        console.log(result.details.profile)
        setInterval(() => {}, 1000)
      `,
    })
    const stateDir = join(home, 'state')
    const temporary = join(home, 'tmp')
    mkdirSync(temporary)
    const start = async () => {
      const child = spawn(process.execPath, [join(home, 'program.ts'), stateDir], {
        env: { ...isolatedEnv(home), TMPDIR: temporary },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const [line] = await once(child.stdout, 'data')
      return { child, profile: String(line).trim() }
    }
    const first = await start()
    const second = await start()
    expect([first.profile, second.profile]).toEqual(['lasting', 'temporary'])
    expect(processesWith(`${stateDir}/browser`)).toBeGreaterThan(1)
    first.child.kill('SIGKILL')
    second.child.kill('SIGTERM')
    await expect.poll(() => processesWith(`${stateDir}/browser`), { timeout: 15_000 }).toBe(0)
    // The lock of the killed one is stale, and its profile is used again.
    const old = join(stateDir, 'browser/main/run-old')
    const young = join(stateDir, 'browser/main/run-young')
    const stuck = join(stateDir, 'browser/main/run-stuck')
    for (const each of [old, young, join(stuck, 'Default')]) mkdirSync(each, { recursive: true })
    // Nobody but root takes anything out of it.
    chmodSync(stuck, 0o500)
    onTestFinished(() => void (existsSync(stuck) && chmodSync(stuck, 0o700)))
    for (const each of [old, stuck]) utimesSync(each, 1_700_000_000, 1_700_000_000)
    const third = await start()
    expect(third.profile).toBe('lasting')
    // Nor does what nobody uses any more stay, or what belongs to no agent.
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
    expect(readdirSync(temporary).filter((name) => name.startsWith('playwright'))).toEqual([])
    third.child.kill('SIGKILL')
    await expect.poll(() => processesWith(`${stateDir}/browser`), { timeout: 15_000 }).toBe(0)
  })
})
