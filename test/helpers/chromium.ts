import { findBrowser } from '../../src/tools/browser/settings.ts'

/** Whether this machine has a browser that tests can drive; those that need one are skipped elsewhere. */
export const hasChromium =
  findBrowser(
    { enabled: true, executablePath: null, headless: true, noSandbox: false, ssrfPolicy: undefined },
    process.env.PATH,
  ) !== null
