import { delimiter } from 'node:path'
import { findAgent } from '../../config/agents.ts'
import type { Config } from '../../config/types.ts'
import type { CodingToolOptions } from '../options.ts'
import type { FilePolicy } from './file.ts'
import { safeBinsOf, type SafeBins } from './safe-bins.ts'
import { skillPrograms } from './skill-programs.ts'
import type { AllowlistEntry } from './types.ts'

/** What commands of an agent are compared with. */
export interface Rules {
  readonly allowlist: readonly AllowlistEntry[]
  readonly safeBins: SafeBins
  /** Names of programs that skills of this machine need. */
  readonly skills: ReadonlySet<string>
  /** Calls that carry code are asked for each time. */
  readonly strictInlineEval: boolean
  readonly home: string
  readonly hasCdPath: boolean
}

const dayMs = 24 * 60 * 60_000

/** The rules of an agent: config and approvals file together. */
export function rulesOf(
  config: Config,
  agentId: string,
  file: FilePolicy,
  { env, homeDir, stateDir, clock }: Pick<CodingToolOptions, 'env' | 'homeDir' | 'stateDir' | 'clock'>,
): Rules {
  const global = config.tools?.exec
  const own = findAgent(config, agentId)?.config.tools?.exec
  const days = own?.grantExpiryDays ?? global?.grantExpiryDays
  const oldest = days === undefined ? null : clock() - days * dayMs
  return {
    allowlist:
      oldest === null ? file.allowlist : file.allowlist.filter((entry) => !hasExpired(entry, oldest)),
    safeBins: safeBinsOf([global, own]),
    skills: file.autoAllowSkills ? skillPrograms(stateDir) : new Set(),
    strictInlineEval: own?.strictInlineEval ?? global?.strictInlineEval ?? false,
    home: env['HOME'] ?? homeDir,
    hasCdPath: (env['CDPATH'] ?? '')
      .split(delimiter)
      .some((directory) => directory !== '' && directory !== '.'),
  }
}

/** Only what an answer has added can get old; a person's own entries stay. */
function hasExpired({ source, addedAt }: AllowlistEntry, oldest: number): boolean {
  return source === 'allow-always' && typeof addedAt === 'number' && addedAt < oldest
}
