import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { AgentService } from '../../gateway/agent-service.ts'
import type { AuthMode } from '../../gateway/auth.ts'
import { LogFile } from '../../gateway/log.ts'
import { startServer } from '../../gateway/server.ts'
import { listenSettings, type SettingsFlags } from '../../gateway/settings.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { thrownStack, thrownText } from '../../kernel/thrown.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import { takeStray } from '../../plugins/strays.ts'
import type { CaseOptions } from '../case.ts'
import { RuntimeHost } from './host.ts'
import { serverSecret } from './secret.ts'

/** What `gateway run` is asked for. */
export interface RunGatewayOptions {
  readonly options: CaseOptions
  readonly flags: SettingsFlags
  readonly tokenFile?: string | undefined
  readonly token?: string | undefined
  readonly version: string
  /** Ends the server. */
  readonly signal: AbortSignal
  readonly onListening: (place: ListeningPlace) => void
  /** Told of warnings and errors that the log gets, too. */
  readonly tell: (text: string) => void
}

/** Where a server listens, and where what it says and its token are kept. */
export interface ListeningPlace {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly authMode: AuthMode
  readonly logFile: string
  /** Set where the server made a token for itself. */
  readonly tokenFile: string | null
}

const usualLogBytes = 16 * 1024 * 1024
const leastLogBytes = 1_024
const logArchives = 5

/** Runs a server until the signal fires. Errors: those of reading the config, CONFIG_INVALID for settings that cannot be, CONFIG_CONFLICT where it cannot listen. */
export async function runGateway(run: RunGatewayOptions): Promise<void> {
  const { options, flags, version, signal, tell } = run
  let redact = (text: string): string => text
  let file: LogFile | null = null
  let service: AgentService | null = null
  const log: LogFile['write'] = (level, message, fields) => {
    file?.write(level, message, fields)
    if (level !== 'warn' && level !== 'error') return
    const reason = fields?.['reason']
    tell(redact(reason === undefined ? message : `${message}: ${cleanLine(String(reason), 300)}`))
  }
  const agents = (running: RuntimeHost): AgentService => ({
    // Most of what a run needs is not needed before the first one.
    run: async (request) => {
      const { RuntimeAgents } = await import('./agent.ts')
      service ??= new RuntimeAgents(running)
      return service.run(request)
    },
  })
  const host = await RuntimeHost.open({ options, version, log, clock: Date.now, agents })
  const { loaded, config } = host.current
  if (loaded === null) throw new OpenClawError('INTERNAL', 'a server needs a config of this machine')
  const { port, host: address, authMode } = listenSettings(config, options.env, flags)
  const { token, tokenFile } = run
  const input = { loaded, config, env: options.env, cwd: options.cwd, token, tokenFile }
  const { auth, madeIn } = await serverSecret(authMode, input)
  const secrets = auth.mode === 'none' ? [] : [auth.secret]
  redact = (text) =>
    secrets.reduce((safe, secret) => safe.replaceAll(secret, '***'), host.parts.redactor.text(text))
  const logFile = join(loaded.stateDir, 'logs', 'gateway.log')
  file = new LogFile({
    file: logFile,
    maxBytes: Math.max(leastLogBytes, config.logging?.maxFileBytes ?? usualLogBytes),
    archives: logArchives,
    clock: Date.now,
    redact: (text) => redact(text),
  })
  const stray = (error: unknown): void => {
    const from = takeStray(error)?.pluginId
    const text = thrownStack(error) || thrownText(error) || 'what was thrown has no words'
    log('error', `stray failure${from === undefined ? '' : ` of the plugin ${from}`}: ${text}`)
  }
  try {
    const server = await startServer({ host, auth, address: { host: address, port }, log, clock: Date.now })
    // Code of plugins runs in this process; what it throws out of turn must not end everybody else's work.
    process.on('uncaughtException', stray)
    process.on('unhandledRejection', stray)
    log('info', 'listening', { url: server.url, pid: process.pid, authMode: auth.mode, version })
    file.flush()
    run.onListening({
      url: server.url,
      port: server.port,
      pid: process.pid,
      authMode: auth.mode,
      logFile,
      tokenFile: madeIn,
    })
    keepHeapSmall()
    host.start()
    await untilAborted(signal)
    log('info', 'shutting down')
    await server.close()
    log('info', 'ended')
  } finally {
    process.off('uncaughtException', stray)
    process.off('unhandledRejection', stray)
    file.close()
  }
}

/**
 * Has the heap grow in small steps. By default a server under load lets tens of megabytes of garbage pile up before it looks; after 100,000 calls it
 * would hold half as much again as after 20,000, with nothing to show for it. Set when the start is over, whose code is cached for other flags.
 */
function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=20')
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}
