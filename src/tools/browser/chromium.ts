import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import type { BrowserContext } from 'playwright-core'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'

export interface LaunchOptions {
  readonly executable: string
  readonly headless: boolean
  readonly noSandbox: boolean
  /** What `--proxy-server` takes. */
  readonly proxy: string
  /** Directory of the agent's browser; the profile lies in it. */
  readonly dir: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A browser that runs. */
export interface Launched {
  readonly context: BrowserContext
  /** `lasting` keeps cookies for the next run; `temporary` where another run has the lasting one. */
  readonly profile: 'lasting' | 'temporary'
  readonly close: () => Promise<void>
}

const launchMs = 45_000
const closeMs = 5_000
/** Milliseconds after which a temporary profile that nobody has locked is nobody's. */
const leftMs = 10 * 60_000

/** Flags beside those of the driver: nothing that talks to anybody but the pages, and nothing that goes around the proxy. */
const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-pings',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--disable-notifications',
  '--deny-permission-prompts',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** Variables that a browser needs; keys and tokens are none of its business. */
const passed = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'FONTCONFIG_PATH',
  'FONTCONFIG_FILE',
]

/** Starts Chromium. TOOL_FAILED where it does not start, with what it said. */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { dir } = options
  makeDirectory(dir)
  sweep(dir)
  const lasting = join(dir, 'profile')
  if (!isInUse(lasting)) {
    try {
      return await start(options, lasting, 'lasting')
    } catch (error) {
      // Another run may have been faster.
      if (!isInUse(lasting)) throw error
    }
  }
  return start(options, mkdtempSync(join(dir, 'run-')), 'temporary')
}

/** Removes temporary profiles that a program which was killed has left. */
function sweep(dir: string): void {
  for (const name of readdirSync(dir).filter((each) => each.startsWith('run-'))) {
    const left = join(dir, name)
    const age = Date.now() - (statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    // Between its making and its lock nobody can tell whose it is.
    if (age <= leftMs || isInUse(left)) continue
    try {
      rmSync(left, { recursive: true, force: true })
    } catch {
      // Another user's, or being removed by another program: no reason to start no browser.
    }
  }
}

async function start(
  options: LaunchOptions,
  profileDir: string,
  profile: Launched['profile'],
): Promise<Launched> {
  const { executable, headless, noSandbox, proxy, dir, env } = options
  const isRoot = process.geteuid?.() === 0
  const known = passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  const drop = (): void => {
    if (profile === 'temporary') rmSync(profileDir, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    const artifacts = join(profileDir, 'artifacts')
    makeDirectory(artifacts)
    const { chromium } = await import('playwright-core')
    const context = await chromium.launchPersistentContext(profileDir, {
      executablePath: executable,
      headless,
      // Its own sandbox cannot be set up for root.
      chromiumSandbox: !isRoot && !noSandbox,
      args: flags,
      env: { ...Object.fromEntries(known), HOME: dir },
      proxy: { server: proxy, bypass: '<-loopback>' },
      acceptDownloads: false,
      // Its driver would leave a directory among those of all programs where it is killed.
      artifactsDir: artifacts,
      serviceWorkers: 'block',
      viewport: { width: 1280, height: 800 },
      timeout: launchMs,
      // The program ends itself, and the browser with it.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    return {
      context,
      profile,
      close: async () => {
        const timeout = Promise.withResolvers<void>()
        const timer = setTimeout(timeout.resolve, closeMs)
        await Promise.race([context.close().catch(() => {}), timeout.promise])
        clearTimeout(timer)
        drop()
      },
    }
  } catch (error) {
    drop()
    throw notStarted(error, executable)
  }
}

function notStarted(error: unknown, executable: string): OpenClawError {
  const text = error instanceof Error ? error.message : String(error)
  const isSandbox = /sandbox/i.test(text) && !/--no-sandbox/.test(/<launching>.*$/m.exec(text)?.[0] ?? '')
  const reason = /(?:\[err\]|FATAL|ERROR)[^\n]*/.exec(text)?.[0] ?? text.split('\n', 1)[0] ?? ''
  return new OpenClawError(
    'TOOL_FAILED',
    `the browser ${executable} does not start: ${cleanLine(reason, 300)}`,
    {
      hints: isSandbox
        ? ['where its own sandbox cannot be had: openclaw config set browser.noSandbox true']
        : [],
      cause: error,
    },
  )
}

/** Whether a running Chromium of this machine has the profile: the lock names host and process. */
function isInUse(profileDir: string): boolean {
  try {
    const lock = readlinkSync(join(profileDir, 'SingletonLock'))
    const at = lock.lastIndexOf('-')
    if (lock.slice(0, at) !== hostname()) return true
    process.kill(Number(lock.slice(at + 1)), 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
