import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OpenClawError } from '../kernel/errors.ts'
import { Gateway } from './gateway.ts'
import { startLocalSite, type LocalSite, type SiteAnswer, type SiteRequest } from './local-site.ts'
import { startMockServer, type MockOptions, type MockServer } from './mock-openai/server.ts'
import type { Processes, ProcessEnd, Program } from './processes.ts'
import type { Steps } from './steps.ts'
import { withSignal } from './steps.ts'

/** Variables of the tester that a run may see: where programs and temporary files are, and the compile cache. */
const keptVariables = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'NODE_COMPILE_CACHE'] as const

export interface LabOptions {
  /** Folder of its own; made by the lab and removed with it. */
  readonly root: string
  readonly program: Program
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly processes: Processes
  readonly steps: Steps
  /** Fires when the scenario must end. */
  readonly signal: AbortSignal
}

/** A home directory that nothing but the scenario uses. */
export interface Home {
  readonly dir: string
  readonly stateDir: string
  readonly configFile: string
  /** The environment of programs in it. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What a scenario has to itself: a folder, programs in homes of their own, servers on loopback. All of it is gone when the lab is closed. */
export class Lab {
  readonly root: string
  readonly signal: AbortSignal
  /** Texts that no report may show. */
  readonly secrets: string[] = []
  readonly #options: LabOptions
  readonly #stack = new AsyncDisposableStack()

  constructor(options: LabOptions) {
    this.root = options.root
    this.signal = options.signal
    this.#options = options
    mkdirSync(this.root, { recursive: true, mode: 0o700 })
    this.#stack.defer(() => rm(this.root, { recursive: true, force: true, maxRetries: 3 }))
  }

  /** The Node that runs everything. */
  get node(): string {
    return this.#options.program.node
  }

  /** Does one thing that the report names. */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    return this.#options.steps.run(name, work)
  }

  /** A secret that exists for this run only. */
  secret(): string {
    const secret = randomBytes(24).toString('base64url')
    this.secrets.push(secret)
    return secret
  }

  /** Makes a home with a config, and with files of its state directory by their names. */
  home(name: string, config: object, files: Readonly<Record<string, string>> = {}): Home {
    const dir = join(this.root, name)
    const stateDir = join(dir, '.openclaw')
    const configFile = join(stateDir, 'openclaw.json')
    for (const [file, text] of Object.entries({ ...files, 'openclaw.json': jsonText(config) })) {
      mkdirSync(dirname(join(stateDir, file)), { recursive: true, mode: 0o700 })
      writeFileSync(join(stateDir, file), text, { mode: 0o600 })
    }
    const kept = keptVariables.map((key) => [key, this.#options.env[key]])
    return {
      dir,
      stateDir,
      configFile,
      env: { ...Object.fromEntries(kept), HOME: dir, USERPROFILE: dir, NO_COLOR: '1' },
    }
  }

  /** Starts a provider whose model does as it is told. */
  async mock(options: MockOptions = {}): Promise<MockServer> {
    const server = await startMockServer(options)
    this.#stack.defer(() => server.close())
    return server
  }

  /** Starts a web site on this machine. */
  async site(answer: (request: SiteRequest) => SiteAnswer | null): Promise<LocalSite> {
    const site = await startLocalSite(answer)
    this.#stack.defer(() => site.close())
    return site
  }

  /** Starts the Gateway in a home whose config has this token, and waits until it can be asked. */
  async gateway(home: Home, token: string): Promise<Gateway> {
    const { processes, program, version, signal } = this.#options
    const running = processes.startProgram(program, ['gateway', 'run', '--port', '0'], {
      env: home.env,
      cwd: home.dir,
    })
    const gateway = await Gateway.open({ running, token, version, signal })
    this.#stack.defer(async () => {
      await gateway.stop()
    })
    return gateway
  }

  /** Runs a command in a home to its end. */
  async run(home: Home, args: readonly string[]): Promise<ProcessEnd> {
    const { processes, program, signal } = this.#options
    const running = processes.startProgram(program, args, { env: home.env, cwd: home.dir })
    return withSignal(running.ended, signal)
  }

  /** Runs a command with `--json` and returns how it ended, with its one JSON value. TOOL_FAILED where it printed none. */
  async runJson(home: Home, args: readonly string[]): Promise<ProcessEnd & { readonly json: unknown }> {
    const ended = await this.run(home, [...args, '--json'])
    try {
      return { ...ended, json: JSON.parse(ended.stdout) }
    } catch {
      const shown = `${ended.stdout.slice(0, 200)} ${ended.stderr.slice(0, 400)}`
      throw new OpenClawError('TOOL_FAILED', `openclaw ${args.join(' ')} printed no JSON: ${shown}`)
    }
  }

  /** Ends every server and process, and removes the folder. */
  async close(): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

/** A config as the file has it. */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
