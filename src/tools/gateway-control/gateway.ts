import { arch, hostname, platform, release } from 'node:os'
import { jsonResult } from '../../calls/model-text.ts'
import type { Args } from '../../calls/types.ts'
import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanText, showName } from '../../kernel/untrusted-text.ts'
import type { WantedApproval } from '../../plugins/hooks.ts'
import type { OpenFamily } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { configReadAllowed } from './config-read.ts'
import type { ProgramControl } from './control.ts'

/** The tools about the program itself: its state, its config, its plugins, and the machines it works on. */
export function openGatewayControl(options: CodingToolOptions): OpenFamily {
  const control = (tool: string): ProgramControl => {
    const { control: own } = options.services
    if (own !== undefined) return own
    throw new OpenClawError('TOOL_UNAVAILABLE', `${tool} needs a program with a config of this machine`)
  }
  return {
    tools: {
      gateway: {
        run: async (args, { signal }) => ({
          result: jsonResult(await gateway(options, control('gateway'), args, signal)),
        }),
        approval: async (args) => approvalOf(args),
      },
      nodes: { run: async (args) => ({ result: jsonResult(nodes(args)) }) },
      plugins: {
        run: async (args, { signal }) => ({
          result: jsonResult(await plugins(control('plugins'), args, signal)),
        }),
      },
      openclaw: {
        run: async ({ action }) => {
          if (action !== 'repair') return { result: jsonResult(await control('openclaw').check()) }
          throw forPeople('repairs are', ['openclaw doctor', 'openclaw config edit'])
        },
      },
    },
  }
}

async function gateway(
  { view }: CodingToolOptions,
  control: ProgramControl,
  args: Args,
  signal: AbortSignal,
): Promise<object> {
  const { action, path, patch, baseHash, dryRun } = args
  const at = typeof path === 'string' ? path : null
  switch (action) {
    case 'status':
      return control.status()
    case 'config.get':
    case 'config.schema':
    case 'config.patch': {
      if (!configReadAllowed(view())) {
        throw new OpenClawError('TOOL_DENIED', 'the profile of this session lets it read no config', {
          hints: ['openclaw config set tools.alsoAllow --append gateway'],
        })
      }
      if (action === 'config.get') return { path: at, ...(await control.config(at)) }
      if (action === 'config.schema') return control.schema(at)
      if (!isRecord(patch)) throw new OpenClawError('INPUT_INVALID', 'config.patch needs a patch')
      if (typeof baseHash !== 'string') {
        throw new OpenClawError('INPUT_INVALID', 'config.patch needs the baseHash that config.get gives', {
          hints: ['action: config.get'],
        })
      }
      return control.patch({ patch, baseHash, dryRun: dryRun === true, signal })
    }
    case 'restart':
      throw new OpenClawError('TOOL_UNAVAILABLE', 'a restart needs whoever started this program', {
        hints: [
          'the config is followed without one, but for gateway.port, bind and auth',
          'openclaw gateway run',
        ],
      })
    default:
      throw new OpenClawError(
        'TOOL_UNAVAILABLE',
        'an update needs the package manager that installed this program',
        {
          hints: ['npm install --global openclaw-toolchain@latest'],
        },
      )
  }
}

/** What a person is asked before the config changes. */
function approvalOf({ action, patch, reason, dryRun }: Args): WantedApproval | null {
  if (action !== 'config.patch' || dryRun === true) return null
  const why = typeof reason === 'string' ? `${cleanText(reason, 200)}\n` : ''
  return {
    pluginId: 'core',
    title: 'Change the config',
    description: cleanText(`${why}${JSON.stringify(patch)}`, 500),
    severity: 'warning',
    timeoutMs: null,
    timeoutBehavior: 'deny',
    lasting: false,
  }
}

const here = 'local'

function nodes({ action = 'list', node = here }: Args): object {
  const isHere = node === here || node === hostname()
  if ((action === 'list' || action === 'describe') && isHere) {
    const own = {
      id: here,
      name: hostname(),
      platform: platform(),
      release: release(),
      arch: arch(),
      node: process.versions.node,
      connected: true,
    }
    return action === 'list' ? { nodes: [own], note: 'other machines are not paired with this program' } : own
  }
  if (isHere) {
    throw new OpenClawError(
      'TOOL_UNAVAILABLE',
      `${String(action)} needs a paired device; this machine is worked on by exec`,
      {
        hints: ['exec', 'message'],
      },
    )
  }
  throw new OpenClawError(
    'TOOL_UNAVAILABLE',
    `the node ${showName(String(node))} needs pairing, which this program does not do`,
    {
      hints: ['node: local'],
    },
  )
}

async function plugins(
  control: ProgramControl,
  { action = 'list', plugin }: Args,
  signal: AbortSignal,
): Promise<object> {
  if (action === 'list') return control.plugins()
  if (typeof plugin !== 'string') throw new OpenClawError('INPUT_INVALID', `${String(action)} needs a plugin`)
  if (action === 'inspect') return control.plugin(plugin, signal)
  const name = showName(plugin)
  throw forPeople('changes of plugins are', [
    ...(action === 'install' ? ['plugins.load.paths names folders of plugins'] : []),
    `openclaw config set plugins.entries.${name}.enabled ${String(action === 'enable')}`,
  ])
}

function forPeople(what: string, hints: readonly string[]): OpenClawError {
  return new OpenClawError('TOOL_UNAVAILABLE', `${what} for a person at the command line`, { hints })
}
