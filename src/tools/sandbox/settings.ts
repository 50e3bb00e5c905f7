import { findAgent } from '../../config/agents.ts'
import type { Config, SandboxConfig } from '../../config/types.ts'
import type { View } from '../../policy/view.ts'

type DockerConfig = NonNullable<SandboxConfig['docker']>

/** How the sandbox of a session is to be made: the agent's word, else the shared one, else the default, field by field. */
export interface SandboxSettings {
  readonly mode: 'off' | 'non-main' | 'all'
  readonly scope: 'session' | 'agent' | 'shared'
  readonly backend: 'auto' | 'bubblewrap' | 'docker'
  readonly workspaceAccess: 'none' | 'ro' | 'rw'
  readonly network: boolean
  /** Further directories that can be read, as written. */
  readonly paths: readonly string[]
  readonly limits: SandboxLimits
  readonly docker: DockerConfig
}

/** What one sandbox may use; megabytes are MiB. */
export interface SandboxLimits {
  readonly processes: number
  readonly memoryMb: number
  readonly tmpMb: number
  readonly fileMb: number
}

const usualLimits: SandboxLimits = { processes: 512, memoryMb: 2048, tmpMb: 256, fileMb: 1024 }

/** Reads the sandbox settings of an agent. Pure. */
export function sandboxSettings(config: Config, agentId: string): SandboxSettings {
  const shared = config.agents?.defaults?.sandbox
  const own = findAgent(config, agentId)?.config.sandbox
  return {
    mode: own?.mode ?? shared?.mode ?? 'off',
    scope: own?.scope ?? shared?.scope ?? 'agent',
    backend: own?.backend ?? shared?.backend ?? 'auto',
    workspaceAccess: own?.workspaceAccess ?? shared?.workspaceAccess ?? 'none',
    network: own?.network ?? shared?.network ?? false,
    paths: own?.paths ?? shared?.paths ?? [],
    limits: { ...usualLimits, ...shared?.limits, ...own?.limits },
    docker: { ...shared?.docker, ...own?.docker, env: { ...shared?.docker?.env, ...own?.docker?.env } },
  }
}

/** The settings of a session as it is judged; what its context says of the workspace wins, since policy has decided by it. */
export function sessionSandbox({ config, context }: Pick<View, 'config' | 'context'>): SandboxSettings {
  const { agentId, workspaceAccess } = context
  return { ...sandboxSettings(config, agentId), workspaceAccess }
}
