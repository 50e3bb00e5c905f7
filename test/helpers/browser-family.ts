import { onTestFinished } from 'vitest'
import type { Args } from '../../src/calls/types.ts'
import { openBrowser } from '../../src/tools/browser/browser.ts'
import type { Resolve } from '../../src/tools/web/guard.ts'
import { callTool, familyOptions } from './tool-family.ts'

/** A browser that may reach the given hosts of this machine, ended with the test. */
export async function testBrowser(hosts: readonly string[], resolve?: Resolve) {
  const config = { browser: { ssrfPolicy: { allowedHostnames: hosts } } }
  const options = await familyOptions({ config }, { env: process.env })
  const family = openBrowser(options, resolve)
  onTestFinished(() => family.close?.())
  const call = (action: string, args: Args = {}, signal?: AbortSignal) =>
    callTool(family, 'browser', { action, ...args }, signal)
  const details = async (action: string, args: Args = {}) =>
    (await call(action, args)).details as Readonly<Record<string, unknown>> & {
      readonly notes?: readonly string[]
    }
  return { call, details, family, stateDir: options.stateDir }
}
