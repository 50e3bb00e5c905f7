import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import { readSecret } from '../../agent/providers/secrets.ts'
import { createLookup, type Env } from '../../config/env.ts'
import { envValue, expandHome } from '../../config/find.ts'
import type { LoadedConfig } from '../../config/load.ts'
import type { Config } from '../../config/types.ts'
import type { AuthMode, AuthSecret } from '../../gateway/auth.ts'
import { OpenClawError } from '../../kernel/errors.ts'

/** Where a secret may come from besides the config. */
export interface SecretInput {
  readonly loaded: LoadedConfig
  readonly config: Config
  readonly env: Env
  readonly cwd: string
  readonly tokenFile?: string | undefined
  readonly token?: string | undefined
  readonly password?: string | undefined
}

/** File with the token that the server made for itself. */
export function ownTokenFile(stateDir: string): string {
  return join(stateDir, 'gateway', 'token')
}

/** Reads a file with one secret in it. INPUT_INVALID where it cannot be read or is empty. */
export function readTokenFile(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read'
    throw new OpenClawError('INPUT_INVALID', `the token file ${file} cannot be read (${reason})`, {
      data: { file },
    })
  }
  if (text !== '' && !/\s/.test(text)) return text
  throw new OpenClawError('INPUT_INVALID', `the token file ${file} does not hold one word`, {
    data: { file },
  })
}

async function configured(kind: 'token' | 'password', input: SecretInput): Promise<string | null> {
  const { loaded, config, env, cwd } = input
  const value = config.gateway?.auth?.[kind]
  if (value === undefined) return null
  const lookup = createLookup(env, cwd, loaded.stateDir, loaded.authored)
  const secret = await readSecret(value, { config, lookup, baseDir: dirname(loaded.file), home: loaded.home })
  if ('value' in secret) return secret.value
  throw new OpenClawError('CONFIG_INVALID', `gateway.auth.${kind} cannot be used: ${secret.missing}`, {
    data: { path: `gateway.auth.${kind}` },
  })
}

/** The token or password that is at hand: the flags, the variable, the config, and for a token the one the server made for itself. */
async function findSecret(kind: 'token' | 'password', input: SecretInput): Promise<string | null> {
  const { loaded, env, cwd, tokenFile } = input
  if (tokenFile !== undefined) return readTokenFile(resolve(cwd, expandHome(tokenFile, loaded.home)))
  const said =
    input[kind] ?? envValue(env, kind === 'token' ? 'OPENCLAW_GATEWAY_TOKEN' : 'OPENCLAW_GATEWAY_PASSWORD')
  return said ?? configured(kind, input)
}

/** The secret that clients have to know, and where a token is kept that had to be made. CONFIG_INVALID where the mode asks for a password and there is none. */
export async function serverSecret(
  mode: AuthMode | null,
  input: SecretInput,
): Promise<{ readonly auth: AuthSecret; readonly madeIn: string | null }> {
  if (mode === 'none') return { auth: { mode }, madeIn: null }
  const token = mode === 'password' ? null : await findSecret('token', input)
  if (token !== null) return { auth: { mode: 'token', secret: token }, madeIn: null }
  const password = mode === 'token' ? null : await findSecret('password', input)
  if (password !== null) return { auth: { mode: 'password', secret: password }, madeIn: null }
  if (mode === 'password') {
    throw new OpenClawError('CONFIG_INVALID', 'gateway.auth.mode is "password" and there is no password', {
      hints: [
        'set OPENCLAW_GATEWAY_PASSWORD',
        "openclaw config set gateway.auth.password '${GATEWAY_PASSWORD}'",
      ],
      data: { path: 'gateway.auth.password' },
    })
  }
  const file = ownTokenFile(input.loaded.stateDir)
  return { auth: { mode: 'token', secret: keptToken(file) }, madeIn: file }
}

/** The server's own token; made, for the owner's eyes only, where there is none. */
function keptToken(file: string): string {
  makeDirectory(dirname(file))
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readTokenFile(file)
}

/** The credentials a client of this machine has at hand; empty where there are none, which a server without a secret does not mind. `isOwn`: the server may be the one of this state directory. */
export async function clientSecret(
  input: SecretInput,
  isOwn: boolean,
): Promise<{ readonly token?: string; readonly password?: string }> {
  const token = await findSecret('token', input)
  if (token !== null) return { token }
  const password = await findSecret('password', input)
  if (password !== null) return { password }
  if (!isOwn) return {}
  try {
    return { token: readTokenFile(ownTokenFile(input.loaded.stateDir)) }
  } catch {
    return {}
  }
}
