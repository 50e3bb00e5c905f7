import { editions, type EditionId } from '../catalog/edition.ts'
import { agentIds } from '../config/agents.ts'
import { loadConfig, type LoadOptions } from '../config/load.ts'
import { validateConfig, type Issue } from '../config/validate.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { Location, Notice } from '../kernel/path.ts'
import { editionOf } from './config-view.ts'
import { discover } from './discovery.ts'
import { openView, type ViewSource } from './open-view.ts'

/** The answer of `config validate` (contract §6). */
export interface ValidateResult {
  readonly valid: boolean
  readonly file: string
  readonly issues: readonly Issue[]
  readonly warnings: readonly Notice[]
}

function isLocation(value: unknown): value is Location {
  return typeof value === 'object' && value !== null && 'line' in value && 'column' in value
}

/** A config that cannot even be read is as invalid as one with a wrong value: the same answer, with one issue. */
function unreadable(error: OpenClawError, file: string): ValidateResult {
  const { location, problem, expected, excerpt } = error.data
  const issue: Issue = {
    path: '',
    message: typeof problem === 'string' ? problem : error.message,
    ...(typeof excerpt === 'string' && { excerpt }),
    ...(typeof expected === 'string' && { expected }),
    location: isLocation(location) ? location : null,
    ...(error.hints[0] !== undefined && { suggestion: error.hints[0] }),
  }
  return { valid: false, file, issues: [issue], warnings: [] }
}

/** Checks a config file: schema errors, warnings, and what lint says about the main session of every agent. Errors: CONFIG_NOT_FOUND, USAGE. */
export async function validateFile(
  options: LoadOptions,
  explicit: EditionId | undefined,
  fallbackFile: string,
): Promise<ValidateResult> {
  let loaded
  try {
    loaded = await loadConfig(options)
  } catch (error) {
    const known =
      error instanceof OpenClawError && (error.code === 'CONFIG_INVALID' || error.code === 'INCLUDE_INVALID')
    if (!known) throw error
    return unreadable(error, fallbackFile)
  }
  const { file, locate } = loaded
  const edition = editions[editionOf(loaded, explicit)]
  const validation = await validateConfig(loaded.config, { edition: edition.id, locate })
  const warnings = [...loaded.notices, ...validation.warnings]
  if (!validation.valid) return { valid: false, file, issues: validation.issues, warnings }
  const { config } = validation
  const { cwd, env } = options
  const [{ lintConfig }, { codeModeNotices }, found] = await Promise.all([
    import('../policy/lint.ts'),
    import('./notices.ts'),
    // An entry that names the tool of a plugin is right where that plugin is installed.
    discover({ loaded, config, locate, cwd, env }),
  ])
  const sources = agentIds(config).map((agentId): ViewSource => ({
    config,
    edition,
    request: { agentId },
    entry: undefined,
    inventory: null,
    discovered: found?.source ?? null,
  }))
  const views = sources.map(openView)
  const codeModes = new Map(
    views.flatMap((view) => codeModeNotices(view, locate)).map((notice) => [notice.message, notice]),
  )
  return {
    valid: true,
    file,
    issues: [],
    warnings: [...warnings, ...lintConfig(views, locate), ...codeModes.values()],
  }
}
