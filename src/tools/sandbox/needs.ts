import type { NeedCheck, NeedChecks } from '../need.ts'
import { sessionSandbox } from './settings.ts'

/**
 * What tools that read files or run commands lack in a sandboxed session: a program that makes the sandbox. Whether it can start is tried when the
 * first of them is called, and by `openclaw sandbox explain`.
 */
const needsSandbox: NeedCheck = ({ view, hasProgram }) => {
  if (!view.context.sandboxed) return null
  const { backend, docker } = sessionSandbox(view)
  const isLinux = process.platform === 'linux'
  const canBubblewrap = isLinux && hasProgram('bwrap')
  const canDocker = docker.image !== undefined && hasProgram('docker')
  if (backend === 'docker' ? canDocker : canBubblewrap || (backend === 'auto' && canDocker)) return null
  const needs =
    backend === 'docker'
      ? docker.image === undefined
        ? 'an image for docker, since this session runs in a sandbox'
        : 'docker, since this session runs in a sandbox'
      : `bubblewrap${isLinux ? '' : ', which works on Linux only'}, since this session runs in a sandbox`
  return {
    needs,
    path:
      docker.image === undefined && backend === 'docker'
        ? 'agents.defaults.sandbox.docker.image'
        : 'agents.defaults.sandbox.backend',
    hints: [
      ...(isLinux && backend !== 'docker' ? ['apt-get install bubblewrap, or dnf install bubblewrap'] : []),
      'openclaw sandbox explain shows what was tried',
    ],
  }
}

export const sandboxNeeds: NeedChecks = Object.fromEntries(
  ['exec', 'process', 'read', 'write', 'edit', 'apply_patch', 'ls'].map((name) => [name, needsSandbox]),
)
