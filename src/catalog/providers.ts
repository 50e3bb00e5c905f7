import type { Config } from '../config/types.ts'
import type { Providers } from './types.ts'

export function resolveProviders(_config: Config, declared: Providers): Providers {
  return declared
}
