import type { Methods } from '../method.ts'
import { optional, readParams, text } from '../params.ts'

/** The config in force, secrets redacted. */
export const configMethods: Methods = {
  'config.get': {
    scope: 'operator.read',
    run: (params, { host }) => {
      const { path } = readParams('config.get', params, { path: optional(text(1_024)) })
      const { configFile, problem, revision } = host.state
      return { path: configFile, hash: host.configHash, revision, problem, config: host.config(path) }
    },
  },
}
