import { isAbsolute } from 'node:path'
import { isRecord } from '../../config/path-value.ts'
import type { Config } from '../../config/types.ts'
import type { View } from '../../policy/view.ts'
import { findProgram, isProgram } from '../programs.ts'

/** How a browser is started, with what `browser` leaves open. */
export interface BrowserSettings {
  readonly enabled: boolean
  readonly executablePath: string | null
  readonly headless: boolean
  readonly noSandbox: boolean
  /** `browser.ssrfPolicy`, as it stands. */
  readonly ssrfPolicy: unknown
}

/** Reads `browser`. */
export function browserSettings({ browser }: Config): BrowserSettings {
  const own: Readonly<Record<string, unknown>> = isRecord(browser) ? browser : {}
  const path = own['executablePath']
  return {
    enabled: own['enabled'] !== false,
    executablePath: typeof path === 'string' && path.trim() !== '' ? path.trim() : null,
    headless: own['headless'] !== false,
    noSandbox: own['noSandbox'] === true,
    ssrfPolicy: own['ssrfPolicy'],
  }
}

/** Programs that are looked for on the PATH, the first one found being used. */
export const browserPrograms = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'brave-browser',
] as const

/** Places of programs that are on no PATH. */
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
] as const

/** The program of a browser: the configured one, else the first that is installed; null where there is none. */
export function findBrowser({ executablePath }: BrowserSettings, path: string | undefined): string | null {
  if (executablePath !== null) {
    return isAbsolute(executablePath) && isProgram(executablePath) ? executablePath : null
  }
  for (const name of browserPrograms) {
    const found = findProgram(name, path)
    if (found !== null) return found
  }
  return elsewhere.find(isProgram) ?? null
}

/** Whether a session may use a browser that runs outside of its sandbox: `sandbox.browser.allowHostControl` says so. */
export function mayLeaveSandbox({ config, context }: Pick<View, 'config' | 'context'>): boolean {
  if (!context.sandboxed) return true
  const { list = [], entries = {}, defaults } = config.agents ?? {}
  const agent = entries[context.agentId] ?? list.find(({ id }) => id === context.agentId)
  for (const sandbox of [agent?.sandbox, defaults?.sandbox]) {
    const open: unknown = sandbox
    const own = isRecord(open) ? open['browser'] : undefined
    if (isRecord(own) && typeof own['allowHostControl'] === 'boolean') return own['allowHostControl']
  }
  return false
}
