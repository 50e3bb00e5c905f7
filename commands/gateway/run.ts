import { integer, option } from '@oclif/core/flags'
import type { ListeningPlace } from '../../src/runtime/gateway/run.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { untilStopped } from '../../src/ui/bounds.ts'
import { defineFlags, word } from '../../src/ui/flags.ts'
import { gatewayFlags } from '../../src/ui/gateway-flags.ts'

const { 'token-file': tokenFile, token } = gatewayFlags

export default class GatewayRun extends BaseCommand<typeof GatewayRun> {
  static override summary = 'Serve sessions, tools and agents of this config over WebSocket and HTTP.'
  static override examples = [
    'openclaw gateway run',
    'openclaw gateway run --port 0 --json',
    'openclaw gateway run --bind lan --token-file ~/gateway-token',
  ]
  static override flags = defineFlags({
    port: integer({
      helpValue: 'N',
      min: 0,
      max: 65_535,
      summary: 'Port to listen on; 0 takes any free one.',
    }),
    bind: word({
      helpValue: 'ADDRESS',
      env: 'OPENCLAW_GATEWAY_BIND',
      summary: 'loopback (the default), lan or an IP address.',
    }),
    auth: option({ options: ['token', 'password', 'none'] as const })({
      summary: 'How clients prove who they are; none is for loopback only.',
    }),
    'token-file': tokenFile,
    token,
  })

  protected override bounds = untilStopped

  protected async execute() {
    return { lines: this.#serve() }
  }

  /** Runs the server; for scripts, the one line says where it listens. */
  async *#serve() {
    const { port, bind, auth, edition, json, profile } = this.flags
    const { runGateway } = await import('../../src/runtime/gateway/run.ts')
    const { promise: listening, resolve: onListening } = Promise.withResolvers<ListeningPlace>()
    const ended = runGateway({
      options: { ...this.searchOptions(), edition },
      flags: { port, bind, auth, profile },
      tokenFile: this.flags['token-file'],
      token: this.flags.token,
      version: this.config.version,
      signal: this.signal,
      tell: (text) => this.note(text),
      onListening,
    })
    const place = await Promise.race([listening, ended])
    if (place) {
      if (json) yield { event: 'listening', ...place }
      else this.note(`listening on ${place.url} (auth: ${place.authMode}, log: ${place.logFile})`)
      if (place.tokenFile !== null) this.note(`the token of this gateway is in ${place.tokenFile}`)
    }
    await ended
  }
}
