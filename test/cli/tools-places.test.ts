import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listAgents } from '../../src/config/agents.ts'
import type { Location } from '../../src/kernel/path.ts'
import type { ExplainResult, HidingStep } from '../../src/policy/explain.ts'
import { effectiveTools, explainInCase } from '../../src/runtime/answers.ts'
import { openCase, type Case } from '../../src/runtime/case.ts'
import { projectRoot } from '../helpers/project.ts'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { tokenAt } from '../helpers/token-at.ts'

/*
 * The place that an answer names is checked against the bytes of the file there, by a reader that shares no code with the
 * program: the entry of a deny list, the list that does not name the tool, the profile, the switch.
 */

const realConfigs = globSync('fixtures/realconfigs/*', { cwd: projectRoot }).toSorted()

function open(file: string, inventoryFile?: string): Promise<Case> {
  const env = { HOME: '/nowhere', TEAM_DIR: '/srv/team', LEAD_MODEL: 'openai/gpt-5.5' }
  return openCase({ file, env, cwd: projectRoot }, { request: {}, inventoryFile })
}

/** One tool of every kind that an entry of these configs can be about. */
const inventory = {
  plugins: {
    browser: { tools: ['browser'] },
    canvas: { tools: ['canvas'] },
    'memory-core': { tools: ['memory_search', 'memory_get'] },
    'corp-bridge': { tools: ['corp_crm__find', { name: 'corp_crm__wipe', optional: true }] },
    telegram: { tools: ['telegram_poll'] },
  },
  mcp: {
    brain: { tools: [{ name: 'get_page' }] },
    example: { tools: [{ name: 'ping' }] },
    video: { tools: [{ name: 'cut' }] },
  },
  channel: [{ channelId: 'discord', name: 'discord_react' }],
  client: [{ name: 'pick_file' }],
  providers: { image_generate: true, pdf: true },
}

const steps = (result: ExplainResult): HidingStep[] => [
  ...(result.decidedBy ? [result.decidedBy] : []),
  ...result.alsoHiddenBy,
]

const isList = ({ step }: HidingStep): boolean => /\.(?:allow|deny|profile)$/.test(step)

/** What has to be written at the place of a step. */
function expected(step: HidingStep): unknown {
  if (step.effect === 'not-allowed' && step.rule === null) return '['
  if (isList(step)) return step.rule
  const path = step.location?.path ?? ''
  if (path === 'plugins.allow') return '['
  if (path.startsWith('plugins.deny[')) return 'telegram'
  if (path.endsWith('sandbox.mode')) return 'all'
  // A switch is named by its key and blamed at its value.
  return expect.any(Boolean)
}

interface Told {
  readonly agent: string
  readonly tool: string
  readonly step: string
  readonly location: Location
  readonly wanted: unknown
}

async function places(each: Case): Promise<Told[]> {
  const told: Told[] = []
  const agents = listAgents(each.config).map((agent) => agent.id)
  for (const agent of agents.length > 0 ? agents : ['main']) {
    const view = await each.view(agent)
    for (const { tool, verdict } of view.decisions) {
      if (verdict === 'visible') continue
      const result = await explainInCase(each, tool.name, [], agent)
      for (const step of steps(result)) {
        if (step.location)
          told.push({
            agent,
            tool: tool.name,
            step: step.step,
            location: step.location,
            wanted: expected(step),
          })
      }
    }
  }
  return told
}

describe('the place of every entry that hides a tool', () => {
  // In some of these configs only gates hide tools, and those stand in no file.
  const entries: Record<string, number> = {}

  const cases = realConfigs.flatMap((file) => [
    [file, 'as it is'] as const,
    [file, 'with more tools'] as const,
  ])

  test.each(cases)('%s, %s', async (file, tools) => {
    const home = await tempDir({ 'inventory.json': JSON.stringify(inventory) })
    const more = tools === 'with more tools' ? join(home, 'inventory.json') : undefined
    const told = await places(await open(join(projectRoot, file), more))
    entries[basename(file, '.json5')] = (entries[basename(file, '.json5')] ?? 0) + told.length
    for (const { location, wanted, ...rest } of told) {
      expect({ ...rest, written: tokenAt(location) }).toEqual({ ...rest, written: wanted })
      expect(location.file).toBe(join(projectRoot, file))
    }
  })

  test('there are many of them', () => {
    expect(entries).toMatchInlineSnapshot(`
      {
        "02-local-models-coding-lean": 42,
        "03-two-agents-global-coding-main-full": 20,
        "04-nine-local-agents-full-deny-one": 8,
        "07-spec-to-pr-sandbox-all-search-off": 39,
        "09-org-commented-json5": 0,
        "10-team-single-id-agent-gateway-provider": 0,
        "11-network-ops-60-mcp-wrong-key": 0,
        "13-teams-slack-plugins-allow": 5,
        "14-laptop-env-baseurl": 20,
        "15-hosted-star-allow-empty-lists": 12,
        "17-many-providers-oauth": 0,
        "19-company-bot-mcp-bridge-glob": 2,
        "21-team-entries-mcp-deny-globs": 85,
        "23-elevated-six-agents-sandbox-all": 4,
      }
    `)
  })
})

describe('through includes and variables', () => {
  const files = {
    'openclaw.json5': `{
  // The root adds to what the team shares.
  $include: ['./base.json5', './team/tools.json5'],
  agents: { entries: {
    alpha: { $include: './agents/alpha.json5' },
    beta: { tools: { deny: ['\${NOTHING_SET}', "\${DENIED}" ] } },
  } },
  tools: { deny: [ 'cron' ] },
}`,
    'base.json5':
      '\uFEFF{ tools: {\r\n  profile: "coding",\r\n  deny: [\r\n\t"group:web", /* why */ "process",\r\n  ],\r\n} }',
    'team/tools.json5':
      '{ tools: { deny: [ "nodes",\n  // the file below is two levels deep\n  "sessions_spawn" ], exec: { host: "node" } } }',
    'agents/alpha.json5': '{ tools: { $include: "./limits/narrow.json5" } }',
    'agents/limits/narrow.json5': '{\n  "allow": [ "read",\n    "exec" ] }',
  }
  const env = { DENIED: 'exec' }

  test('each points into the file that holds it', async () => {
    const home = await tempDir(files)
    const each = await openCase(
      { file: join(home, 'openclaw.json5'), env: { ...env, HOME: home }, cwd: home },
      { request: {} },
    )
    const told = await places(each)
    for (const { location, wanted, ...rest } of told) {
      // What is written is the reference; the rule is the name it stands for.
      const written = tokenAt(location) === '${DENIED}' ? 'exec' : tokenAt(location)
      expect({ ...rest, written }).toEqual({ ...rest, written: wanted })
    }
    const lines = told.map(({ agent, tool, step, location: { file, line, column, path } }) =>
      [agent, tool, step, `${file.slice(home.length + 1)}:${line}:${column}`, path].join('  '),
    )
    expect(lines.filter((line) => !line.includes('agents/limits')).toSorted()).toMatchInlineSnapshot(`
      [
        "alpha  agents_list  tools.profile  base.json5:2:12  tools.profile",
        "alpha  cron  tools.deny  openclaw.json5:8:20  tools.deny[4]",
        "alpha  gateway  tools.profile  base.json5:2:12  tools.profile",
        "alpha  heartbeat_respond  tools.profile  base.json5:2:12  tools.profile",
        "alpha  message  tools.profile  base.json5:2:12  tools.profile",
        "alpha  nodes  tools.deny  team/tools.json5:1:20  tools.deny[2]",
        "alpha  nodes  tools.profile  base.json5:2:12  tools.profile",
        "alpha  pdf  tools.profile  base.json5:2:12  tools.profile",
        "alpha  process  tools.deny  base.json5:4:25  tools.deny[1]",
        "alpha  sessions_spawn  tools.deny  team/tools.json5:3:3  tools.deny[3]",
        "alpha  tts  tools.profile  base.json5:2:12  tools.profile",
        "alpha  web_fetch  tools.deny  base.json5:4:2  tools.deny[0]",
        "alpha  web_search  tools.deny  base.json5:4:2  tools.deny[0]",
        "beta  agents_list  tools.profile  base.json5:2:12  tools.profile",
        "beta  cron  tools.deny  openclaw.json5:8:20  tools.deny[4]",
        "beta  exec  agent.tools.deny  openclaw.json5:6:47  agents.entries.beta.tools.deny[1]",
        "beta  gateway  tools.profile  base.json5:2:12  tools.profile",
        "beta  heartbeat_respond  tools.profile  base.json5:2:12  tools.profile",
        "beta  message  tools.profile  base.json5:2:12  tools.profile",
        "beta  nodes  tools.deny  team/tools.json5:1:20  tools.deny[2]",
        "beta  nodes  tools.profile  base.json5:2:12  tools.profile",
        "beta  pdf  tools.profile  base.json5:2:12  tools.profile",
        "beta  process  tools.deny  base.json5:4:25  tools.deny[1]",
        "beta  sessions_spawn  tools.deny  team/tools.json5:3:3  tools.deny[3]",
        "beta  tts  tools.profile  base.json5:2:12  tools.profile",
        "beta  web_fetch  tools.deny  base.json5:4:2  tools.deny[0]",
        "beta  web_search  tools.deny  base.json5:4:2  tools.deny[0]",
      ]
    `)
  })

  test('and the command line says the same', async () => {
    const home = await tempDir(files)
    const config = join(home, 'openclaw.json5')
    const { stdout } = await runCli(['tools', 'explain', 'exec', '--agent', 'beta', '--config', config], {
      home,
      env,
    })
    expect(stdout.replaceAll(home, '~')).toMatchInlineSnapshot(`
      "exec is hidden in agent:beta:main
        agent.tools.deny: "exec" in agents.entries.beta.tools.deny denies it
          at openclaw.json5:6:47  agents.entries.beta.tools.deny[1]

      note: tools.exec only sets how the tool works; a section never makes a tool visible

      fix: openclaw config unset 'agents.entries.beta.tools.deny[1]' --config ~/openclaw.json5
      "
    `)
    const { json } = await runJson(['tools', 'effective', '--agent', 'alpha', '--config', config], {
      home,
      env,
    })
    expect(json).toMatchObject({
      hidden: expect.arrayContaining([
        expect.objectContaining({
          id: 'write',
          step: 'agent.tools.allow',
          location: {
            file: join(home, 'agents/limits/narrow.json5'),
            path: 'agents.entries.alpha.tools.allow',
            line: 2,
            column: 12,
          },
        }),
      ]),
    })
  })
})

test('effective and explain name the same place', async () => {
  for (const file of realConfigs) {
    const each = await open(join(projectRoot, file))
    const { hidden, agentId } = await effectiveTools(each, true)
    for (const { id, step, location } of hidden) {
      const { decidedBy } = await explainInCase(each, id, [], agentId)
      expect({ file, id, step: decidedBy?.step, location: decidedBy?.location }).toEqual({
        file,
        id,
        step,
        location,
      })
    }
  }
})

test('notices point at what they talk about', async () => {
  for (const file of realConfigs) {
    const each = await open(join(projectRoot, file))
    const { notices } = await effectiveTools(each, true)
    for (const { id, message, location } of notices) {
      if (!location) continue
      const written = tokenAt(location)
      // Entries are quoted in the message as they are written; sections are named by their path.
      const named = typeof written === 'string' && message.includes(JSON.stringify(written))
      const byPath = message.includes(location.path) || message.includes(location.path.split('[')[0]!)
      expect({ file, id, message, told: named || byPath }).toEqual({ file, id, message, told: true })
    }
  }
})
