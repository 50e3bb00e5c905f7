import type { Config } from '../../config/types.ts'
import { isRecord } from '../../config/path-value.ts'
import { pluginSection } from './search-settings.ts'

/** How x_search asks xAI, with what the config leaves open. */
export interface XaiSettings {
  readonly model: string
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly cacheTtlMs: number
  readonly maxTurns: number | null
}

/** The key of xAI, as the config writes it; undefined where only the environment can know it. */
export function xaiKey(config: Config): unknown {
  return (
    pluginSection(config, 'xai', 'xSearch')['apiKey'] ??
    pluginSection(config, 'xai', 'webSearch')['apiKey'] ??
    config.plugins?.entries?.['xai']?.apiKey ??
    config.models?.providers?.['xai']?.apiKey
  )
}

/** Reads `plugins.entries.xai.config.xSearch`, else `tools.web.x_search`; the address is that of `models.providers.xai`. */
export function xaiSettings(config: Config): XaiSettings {
  const old = config.tools?.web?.x_search
  const own = { ...(isRecord(old) ? old : {}), ...pluginSection(config, 'xai', 'xSearch') }
  const text = (key: string): string | null =>
    typeof own[key] === 'string' && own[key] !== '' ? own[key] : null
  const whole = (key: string, most: number): number | null => {
    const value = own[key]
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, most) : null
  }
  return {
    model: text('model') ?? 'grok-4-1-fast',
    baseUrl: text('baseUrl') ?? config.models?.providers?.['xai']?.baseUrl ?? 'https://api.x.ai/v1',
    timeoutMs: (whole('timeoutSeconds', 600) || 60) * 1000,
    cacheTtlMs: (whole('cacheTtlMinutes', 1440) ?? 15) * 60_000,
    maxTurns: whole('maxTurns', 50) || null,
  }
}
