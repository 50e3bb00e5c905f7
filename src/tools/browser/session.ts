import { join } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import type { CodingToolOptions } from '../options.ts'
import { AddressGuard, type Resolve } from '../web/guard.ts'
import { guardRules } from '../web/settings.ts'
import { launch, type Launched } from './chromium.ts'
import { openGuardProxy, type GuardProxy } from './guard-proxy.ts'
import { browserNeed } from './needs.ts'
import { browserSettings, findBrowser } from './settings.ts'
import { Tabs } from './tabs.ts'

/** A browser that runs, with its way to the web. */
export interface Running {
  readonly launched: Launched
  readonly proxy: GuardProxy
  readonly guard: AddressGuard
  readonly tabs: Tabs
}

/** The browser of a run: started when it is first needed, ended with the run. */
export class BrowserSession {
  readonly #options: CodingToolOptions
  readonly #resolve: Resolve | undefined
  #running: Promise<Running> | null = null

  constructor(options: CodingToolOptions, resolve: Resolve | undefined) {
    this.#options = options
    this.#resolve = resolve
  }

  /** The browser, if it runs. */
  get running(): Promise<Running> | null {
    return this.#running
  }

  /** Starts the browser where it does not run. TOOL_UNAVAILABLE for a need that is not met, TOOL_FAILED where it does not start. */
  start(): Promise<Running> {
    if (this.#running !== null) return this.#running
    const running = this.#start()
    this.#running = running
    running.catch(() => {
      if (this.#running === running) this.#running = null
    })
    return running
  }

  /** Ends the browser; false where none ran. */
  async stop(): Promise<boolean> {
    const running = this.#running
    this.#running = null
    if (running === null) return false
    try {
      const { launched, proxy } = await running
      await launched.close()
      await proxy.close()
      return true
    } catch {
      return false
    }
  }

  /** Directory of the browser of this agent. */
  get dir(): string {
    const { agentId } = this.#options.view().context
    return join(this.#options.stateDir, 'browser', agentId.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_'))
  }

  async #start(): Promise<Running> {
    const { view, env } = this.#options
    const need = browserNeed(view(), env)
    const { config } = view()
    const settings = browserSettings(config)
    const executable = findBrowser(settings, env['PATH'])
    if (need !== null || executable === null) {
      throw new OpenClawError('TOOL_UNAVAILABLE', `browser needs ${need?.needs ?? 'a browser'}`, {
        hints: need?.hints ?? [],
      })
    }
    const rules = guardRules(settings.ssrfPolicy, 'browser.ssrfPolicy.allowedHostnames')
    const guard = new AddressGuard(rules, this.#resolve)
    const proxy = await openGuardProxy(guard)
    try {
      const { headless, noSandbox } = settings
      const launched = await launch({
        executable,
        headless,
        noSandbox,
        proxy: proxy.server,
        dir: this.dir,
        env,
      })
      const running = { launched, proxy, guard, tabs: new Tabs(launched.context) }
      // Whoever ends the browser from outside, or if it ends itself, the next action starts another one.
      launched.context.once('close', () => {
        void this.#forget(running)
        void proxy.close()
      })
      return running
    } catch (error) {
      await proxy.close()
      throw error
    }
  }

  async #forget(running: Running): Promise<void> {
    const now = this.#running
    if (now !== null && (await now.catch(() => null)) === running && this.#running === now)
      this.#running = null
  }
}
