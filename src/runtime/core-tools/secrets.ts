import { dirname } from 'node:path'
import { createLookup } from '../../config/env.ts'
import type { ReadSecret } from '../../tools/secret.ts'
import type { Case } from '../case.ts'

/** Reads secrets of the config as providers and the Gateway do; `.env` is looked for in `cwd` as well. */
export function secretReader({ loaded, config, env }: Case, cwd: string): ReadSecret {
  return async (value) => {
    if (loaded === null) return { missing: 'there is no config of this machine' }
    const { readSecret } = await import('../../agent/providers/secrets.ts')
    const { file, home, stateDir, authored } = loaded
    const lookup = createLookup(env, cwd, stateDir, authored)
    return readSecret(value, { config, lookup, baseDir: dirname(file), home })
  }
}
