import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { editions } from '../../src/catalog/edition.ts'
import { parseInventory } from '../../src/catalog/inventory-file.ts'
import { buildInventory } from '../../src/catalog/inventory.ts'
import type { Config } from '../../src/config/types.ts'
import { compilePolicy } from '../../src/policy/evaluate.ts'
import type { PolicyInput } from '../../src/policy/types.ts'
import { resolveContext } from '../../src/sessions/resolve.ts'

/*
 * CPU of judging a large inventory with a whole trace per tool, and memory of one `tools effective`: node test/bench/policy.ts
 * Prints one JSON value. `coldMs` is the first evaluation of a fresh process, `warmMs` the median of later ones.
 */

const tools = 10_000
const rounds = 15
const limits = { evaluationMs: 150, memoryMb: 120 }

/** Lists at every step, as a large installation has them. */
const config: Config = {
  tools: {
    profile: 'coding',
    alsoAllow: ['group:messaging', 'group:plugins', 'server-1*', 'bundle-mcp', 'plugin-7'],
    deny: [
      '*_delete*',
      'server-13__*',
      'group:automation',
      'plugin-9',
      ...Array.from({ length: 40 }, (_, n) => `tool_${n}_*`),
    ],
    byProvider: {
      openai: { deny: ['server-2__tool_1*', 'image'] },
      'openai/gpt-5.5': { profile: 'full', deny: ['*_5_*'] },
    },
    toolsBySender: { 'id:77': { deny: ['*_wipe', 'exec'] }, '*': { allow: ['read'] } },
    sandbox: { tools: { allow: ['*'], deny: ['browser', 'nodes', '*_7_*'] } },
    subagents: { tools: { deny: ['cron', 'server-4__*'] } },
  },
  agents: {
    defaults: { sandbox: { mode: 'all' } },
    entries: {
      main: {
        tools: { deny: ['group:nodes', '*__tool_99*'], byProvider: { openai: { deny: ['plugin-3'] } } },
      },
    },
  },
  channels: { telegram: { groups: { '*': { tools: { deny: ['server-8__*', 'gateway'] } } } } },
}

function largeInput(): PolicyInput {
  const edition = editions['2026.7']
  const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `tool_${n}_run`)
  const plugins = Array.from({ length: 30 }, (_, n) => [
    `plugin-${n}`,
    names(100).map((name) => `p${n}_${name}`),
  ])
  const servers = Array.from({ length: 70 }, (_, n) => [`server-${n}`, names(100)])
  const file = parseInventory(
    { plugins: Object.fromEntries(plugins), mcp: Object.fromEntries(servers) },
    'bench',
  )
  const inventory = buildInventory({ edition, config, file })
  const { context } = resolveContext({
    config,
    edition,
    request: {
      sessionKey: 'agent:main:telegram:group:100:subagent:abc',
      provider: 'openai',
      model: 'gpt-5.5',
      sender: { id: '77' },
      isOwner: false,
      inherited: { deny: ['server-9__*'] },
      toolsAllow: ['*'],
    },
  })
  return { config, edition, context, inventory: { ...inventory, tools: inventory.tools.slice(0, tools) } }
}

function cpuMs(run: () => void): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function evaluation() {
  const input = largeInput()
  let visible = 0
  const evaluate = (): void => {
    const policy = compilePolicy(input)
    visible = input.inventory.tools.filter((tool) => policy.evaluate(tool).verdict === 'visible').length
  }
  const coldMs = cpuMs(evaluate)
  const warmMs = median(Array.from({ length: rounds }, () => cpuMs(evaluate)))
  return {
    tools: input.inventory.tools.length,
    visible,
    coldMs: Math.round(coldMs),
    warmMs: Math.round(warmMs),
  }
}

/** Peak resident memory of a child that runs the built program, in megabytes; told by the child itself on its way out. */
function peakMemory(args: readonly string[]): number {
  const tell = `import { writeSync } from 'node:fs'
    process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))`
  const preload = `data:text/javascript,${encodeURIComponent(tell)}`
  const { status, output } = spawnSync(process.execPath, ['--import', preload, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return Math.round(Number(output[3]) / 1024)
}

function memory() {
  const directory = fileURLToPath(new URL('../../fixtures/realconfigs/', import.meta.url))
  const sizes = readdirSync(directory).map((name) => ({ name, size: statSync(directory + name).size }))
  const largest = sizes.toSorted((a, b) => b.size - a.size)[0]?.name ?? ''
  const script = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
  const empty = peakMemory(['-e', '0'])
  return {
    config: largest,
    emptyMb: empty,
    peakMb: peakMemory([script, 'tools', 'effective', '--config', directory + largest]),
  }
}

process.stdout.write(`${JSON.stringify({ evaluation: evaluation(), memory: memory(), limits })}\n`)
