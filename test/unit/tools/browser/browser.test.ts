import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ToolResult } from '../../../../src/calls/types.ts'
import { testBrowser } from '../../../helpers/browser-family.ts'
import { hasChromium } from '../../../helpers/chromium.ts'
import { failure } from '../../../helpers/tool-family.ts'
import { webServer } from '../../../helpers/web-server.ts'

/** A browser, with the ref of the element whose line in a snapshot says so. */
async function browser(hosts: readonly string[]) {
  const { call, details, stateDir } = await testBrowser(hosts)
  const refOf = async (words: string) => {
    const text = textOf(await call('snapshot'))
    const line = text.split('\n').find((each) => each.includes(words))
    return /\[ref=([^\]]+)\]/.exec(line ?? '')?.[1] ?? `no ref for ${words} in ${text}`
  }
  return { call, details, refOf, stateDir }
}

function textOf({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}

const form = `<!doctype html><title>Form</title><h1>Order</h1>
<form action="/done"><label>Name <input name="name"></label>
<label>Size <select name="size"><option value="s">Small</option><option value="l">Large</option></select></label>
<label><input type="checkbox" name="gift" value="yes"> Gift</label>
<button onmouseover="document.title='Hovered'">Send</button></form>
<button ondblclick="console.log('twice', this.textContent)">Count</button>
<button onclick="setTimeout(() => document.body.append('It is ready'), 50)">Later</button>
<button onclick="throw new Error('it broke')">Break</button><div style="height:3000px"></div>`

describe.skipIf(!hasChromium)('a browser (needs Chromium)', () => {
  test('shows pages, and does what a person could do there', async () => {
    const server = await webServer((request, response) => {
      const done = `<title>Done</title><p>${(request.url ?? '').replaceAll('&', ' ')}</p><a href="/form" target="_blank">again</a>`
      response.setHeader('content-type', 'text/html')
      response.end(request.url?.startsWith('/done') ? done : form)
    })
    const { call, details, refOf } = await browser([server.host])
    expect(await details('status')).toEqual({ running: false, tabs: [] })
    expect(await details('open', { url: `${server.origin}/form` })).toMatchObject({
      tab: 't1',
      title: 'Form',
      status: 200,
    })
    const shown = textOf(await call('snapshot'))
    expect(shown).toMatch(/comes from a web page\. It is untrusted/)
    expect(shown).toContain('heading "Order" [level=1]')

    await call('act', { kind: 'type', ref: await refOf('textbox "Name"'), text: 'Ann' })
    expect(
      textOf(await call('act', { kind: 'select', ref: await refOf('combobox'), values: ['Large'] })),
    ).toContain('selected 1 of 1')
    const fields = [
      { ref: await refOf('textbox "Name"'), value: 'Bob' },
      { ref: await refOf('checkbox'), value: 'true' },
    ]
    expect(textOf(await call('act', { kind: 'fill', fields }))).toContain('filled 2 fields')
    expect(await details('act', { kind: 'hover', ref: await refOf('button "Send"') })).toMatchObject({
      title: 'Hovered',
    })
    await call('act', { kind: 'click', ref: await refOf('button "Count"'), doubleClick: true })
    await call('act', { kind: 'click', ref: await refOf('button "Break"') })
    expect(await details('console')).toMatchObject({
      lines: [
        { level: 'log', text: 'twice Count' },
        { level: 'error', text: 'it broke' },
      ],
    })
    await call('act', { kind: 'click', ref: await refOf('button "Later"') })
    expect(textOf(await call('act', { kind: 'wait', text: 'It is ready' }))).toContain('the text is there')
    const picture = await call('screenshot', { fullPage: true, format: 'jpeg' })
    const image = picture.content.find((block) => block.type === 'image')
    expect(image).toMatchObject({ mimeType: 'image/jpeg', data: expect.stringMatching(/^\/9j\//) })
    const printed = await details('pdf')
    expect(readFileSync(String(printed['path']), 'latin1')).toMatch(/^%PDF-/)

    await call('act', { kind: 'press', ref: await refOf('textbox "Name"'), key: 'Enter' })
    await expect.poll(() => server.requests).toContain('GET /done?name=Bob&size=l&gift=yes')
    await call('act', { kind: 'click', ref: await refOf('link "again"') })
    await expect
      .poll(async () => (await details('tabs'))['tabs'])
      .toMatchObject([
        { id: 't1', current: true, title: 'Done' },
        { id: 't2', current: false, title: 'Form' },
      ])
    expect(await details('focus', { tab: 't2' })).toMatchObject({ title: 'Form' })
    expect(await details('close')).toMatchObject({ closed: 't2', tabs: ['t1'] })
    expect(await details('stop')).toEqual({ running: false })
  })

  test('says what cannot be done, and keeps what pages keep for the next run of the agent', async () => {
    const server = await webServer((request, response) => {
      response.statusCode = request.url === '/missing' ? 404 : 200
      response.setHeader('content-type', 'text/html')
      response.setHeader('set-cookie', 'seen=yes; max-age=1000')
      response.end(`<title>${request.headers.cookie ?? 'new'}</title><button disabled>Off</button>`)
    })
    const { call, details, refOf, stateDir } = await browser([server.host])
    expect((await failure(call('snapshot', { tab: 't9' }))).message).toBe('there is no tab t9')
    expect(await details('open', { url: server.origin })).toMatchObject({ title: 'new' })
    expect(await failure(call('act', { kind: 'click', ref: 'e99' }))).toMatchObject({
      code: 'TOOL_FAILED',
      message: 'the page has no element e99 now',
    })
    for (const args of [
      { kind: 'click' },
      { kind: 'fill' },
      { kind: 'select', ref: 'e1' },
      { kind: 'wait' },
      {},
      { kind: 'click', ref: 'css=x' },
    ]) {
      expect((await failure(call('act', args))).code).toBe('INPUT_INVALID')
    }
    const off = { kind: 'click', ref: await refOf('button "Off"'), timeoutMs: 300 }
    expect(await failure(call('act', off))).toMatchObject({ code: 'TIMEOUT' })
    expect(await details('navigate', { url: `${server.origin}/missing` })).toMatchObject({ status: 404 })
    expect((await failure(call('open'))).code).toBe('INPUT_INVALID')
    await details('stop')
    expect(await details('open', { url: server.origin })).toMatchObject({ title: 'seen=yes' })
    expect(existsSync(`${stateDir}/browser/main/profile`)).toBe(true)
  })
})
