import { createRequire } from 'node:module'
import type { View } from '../../policy/view.ts'
import type { NeedChecks, UnmetNeed } from '../need.ts'
import { browserSettings, findBrowser, mayLeaveSandbox } from './settings.ts'

/** What the browser tool lacks on this machine; null where it lacks nothing. */
export function browserNeed(view: View, env: Readonly<Record<string, string | undefined>>): UnmetNeed | null {
  const settings = browserSettings(view.config)
  if (!settings.enabled) {
    return {
      needs: 'browser.enabled to be true',
      path: 'browser.enabled',
      hints: ['openclaw config set browser.enabled true'],
    }
  }
  if (!mayLeaveSandbox(view)) {
    return {
      needs: 'leave to run outside of the sandbox of this session',
      path: 'agents.defaults.sandbox.browser.allowHostControl',
      hints: ['openclaw config set agents.defaults.sandbox.browser.allowHostControl true'],
    }
  }
  if (!hasDriver()) {
    return {
      needs: 'the package playwright-core, which drives the browser',
      path: null,
      hints: ['npm install playwright-core, beside this program'],
    }
  }
  if (findBrowser(settings, env['PATH']) === null) {
    return {
      needs:
        settings.executablePath === null
          ? 'Chromium or Chrome on this machine'
          : 'a browser at browser.executablePath, and there is no such file',
      path: 'browser.executablePath',
      hints: ['install chromium', 'or: openclaw config set browser.executablePath /path/to/chromium'],
    }
  }
  return null
}

function hasDriver(): boolean {
  try {
    createRequire(import.meta.url).resolve('playwright-core')
    return true
  } catch {
    return false
  }
}

export const browserNeeds: NeedChecks = { browser: ({ view, env }) => browserNeed(view, env) }
