import { loadConfig } from '../../config/load.ts'
import { envValue } from '../../config/find.ts'
import { isLoopback } from '../../gateway/auth-limit.ts'
import type { GatewayClient } from '../../gateway/client.ts'
import type { Scope } from '../../gateway/scopes.ts'
import { gatewayPort } from '../../gateway/settings.ts'
import type { CaseOptions } from '../case.ts'
import { clientSecret } from './secret.ts'

/** Which server to ask, and with what. */
export interface AskOptions {
  readonly options: CaseOptions
  /** Else `OPENCLAW_GATEWAY_URL`, else the one of this machine's config. */
  readonly url?: string | undefined
  readonly port?: number | undefined
  readonly profile?: string | undefined
  readonly tokenFile?: string | undefined
  readonly token?: string | undefined
  readonly password?: string | undefined
  readonly scopes: readonly Scope[]
  readonly version: string
  readonly signal: AbortSignal
  readonly timeoutMs?: number | undefined
  readonly onEvent?: ((event: string, payload: unknown) => void) | undefined
}

/** Does work with a connection to a server. Errors: GATEWAY_UNREACHABLE, UNAUTHORIZED, and what the server answers. */
export async function withGateway<Result>(
  ask: AskOptions,
  work: (client: GatewayClient, url: string) => Promise<Result>,
): Promise<Result> {
  const { options, scopes, version, signal, timeoutMs, onEvent } = ask
  const loaded = await loadConfig(options)
  const { config } = loaded
  const given = ask.url ?? envValue(options.env, 'OPENCLAW_GATEWAY_URL')
  const { port, profile } = ask
  const url = given ?? `ws://127.0.0.1:${gatewayPort(config, options.env, { port, profile })}`
  const { tokenFile, token, password } = ask
  const { env, cwd } = options
  // What this machine's config holds is for its own server, and for no other that an address may lead to.
  const isOwn = given === null || isLoopback(URL.parse(given)?.hostname ?? '')
  const from = { loaded, config: isOwn ? config : {}, env, cwd, tokenFile, token, password }
  const secret = await clientSecret(from, isOwn)
  const { GatewayClient: Client } = await import('../../gateway/client.ts')
  const client = await Client.connect({ url, ...secret, scopes, version, signal, timeoutMs, onEvent })
  try {
    return await work(client, url)
  } finally {
    client.close()
  }
}
