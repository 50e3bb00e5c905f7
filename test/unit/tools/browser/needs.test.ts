import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openBrowser } from '../../../../src/tools/browser/browser.ts'
import { unmetNeed } from '../../../../src/tools/needs.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

async function needOf(config: object, path: string, context: object = {}) {
  const options = await familyOptions({ config, context }, { env: { PATH: path } })
  const facts = {
    view: options.view(),
    env: { PATH: path },
    stateDir: '/',
    hasProgram: () => false,
    services: null,
  }
  const need = unmetNeed('browser', facts)
  const called = await failure(callTool(openBrowser(options), 'browser', { action: 'start' }))
  return { need, called }
}

describe('what the browser needs', () => {
  test('is a browser, and to be switched on', async () => {
    const empty = await tempDir()
    const none = await needOf({}, empty)
    expect(none.need).toMatchObject({
      needs: 'Chromium or Chrome on this machine',
      path: 'browser.executablePath',
    })
    expect(none.called).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      message: 'browser needs Chromium or Chrome on this machine',
      hints: none.need?.hints,
    })
    const wrong = await needOf({ browser: { executablePath: join(empty, 'nothing') } }, empty)
    expect(wrong.need?.needs).toBe('a browser at browser.executablePath, and there is no such file')
    expect((await needOf({ browser: { enabled: false } }, empty)).need?.path).toBe('browser.enabled')
  })

  test('is leave to run outside of a sandbox', async () => {
    const dir = await tempDir()
    const program = join(dir, 'chromium')
    writeFileSync(program, '#!/bin/sh\necho "[1:1:ERROR] no display" >&2\nexit 1\n')
    chmodSync(program, 0o755)
    const sandboxed = await needOf({ agents: { defaults: { sandbox: { mode: 'all' } } } }, dir)
    expect(sandboxed.need?.path).toBe('agents.defaults.sandbox.browser.allowHostControl')
    const lifted = { mode: 'all', browser: { allowHostControl: true } }
    const free = await needOf({ agents: { defaults: { sandbox: lifted } } }, dir)
    expect(free.need).toBeNull()
    expect(free.called).toMatchObject({
      code: 'TOOL_FAILED',
      message: expect.stringMatching(/^the browser .*\/chromium does not start: .*no display/),
    })
  })
})
