import { editions, type Edition } from '../../src/catalog/edition.ts'
import { parseInventory } from '../../src/catalog/inventory-file.ts'
import type { Config } from '../../src/config/types.ts'
import type { ViewSource } from '../../src/runtime/open-view.ts'
import type { SessionRequest } from '../../src/sessions/request.ts'
import type { Random } from './seeded-random.ts'

type Lists = { allow?: string[]; alsoAllow?: string[]; deny?: string[] }
type Raw = Readonly<Record<string, unknown>>

const models = [
  'openai/gpt-5.5',
  'openai/gpt-4',
  'OpenAI/GPT-5.5',
  'anthropic/claude-sonnet-4-5',
  'openrouter/meta/llama-4',
  'OpenRouter/Meta/Llama-4',
  'ollama/small:4b',
]
const profileIds = ['minimal', 'coding', 'messaging', 'full'] as const
const groupIds = ['100', '-200', 'Team-7']
const people = [
  { id: 'u7' },
  { id: '@u8', username: 'u8' },
  { id: '77', e164: '+49 (123) 45-6', name: 'User Nine' },
  { username: '@U10' },
  { name: 'user eleven' },
  { id: 'team:9' },
]
const senderKeys = [
  '*',
  'id:u7',
  'ID:U7',
  'id:@u8',
  'u8',
  '@u8',
  '77',
  'id:team:9',
  'e164:+4912345-6',
  'e164:+49123456',
  'username:@u8',
  'username:u10',
  'name:User Nine',
  'NAME: user eleven ',
  'channel:telegram:u7',
  'channel:Telegram:77',
  'channel:teams:u8',
  'channel:whatsapp:team:9',
  'channel:telegram',
  'telegram:u7',
]
const channelIds = ['telegram', 'whatsapp', 'msteams']
const accountIds = ['default', 'second']

const pluginPool: Raw = {
  browser: { tools: ['browser', 'browser_shot'] },
  canvas: { tools: ['canvas'] },
  'memory-core': { tools: ['memory_search', 'memory_get'] },
  'file-transfer': { tools: ['dir_fetch', 'file_write'] },
  notes: { tools: ['note_add', { name: 'note_wipe', optional: true }] },
  lobster: { tools: [{ name: 'lobster', optional: true }] },
  recall: { tools: [{ name: 'recall_grep', profiles: ['coding', 'messaging'] }, 'recall_expand'] },
  Ledger: { tools: ['Ledger_Read', { name: 'ledger', optional: true, profiles: ['minimal'] }] },
  // Ids that are also tool names, group names or channels: where entries are easily misread.
  message: { tools: ['note_send'] },
  nodes: { tools: ['node_ping'] },
  discord: { tools: ['discord_send'] },
  'group:ui': { tools: ['paint'] },
}
const serverPool: Raw = {
  github: { status: 'connected', tools: ['create_issue', 'list_issues'] },
  '9lives': {
    status: 'connected',
    tools: ['count', { name: 'late', execution: { taskSupport: 'required' } }],
  },
  'mail box': { status: 'connected', tools: ['send mail', { name: 'bad', inputSchema: 7 }] },
  Wiki: { status: 'connected', tools: ['Get_Page'] },
  down: { status: 'failed', tools: ['ping'] },
}
const clientPool = ['pick_file', 'Confirm_Box', 'web_search', 'group_chat', 'note_add']
const channelPool = [
  { channelId: 'telegram', name: 'telegram_react' },
  { channelId: 'discord', name: 'discord_react' },
]
const providerIds = [
  'image',
  'image_generate',
  'video_generate',
  'music_generate',
  'tts',
  'web_search',
  'x_search',
  'pdf',
  'code_execution',
]
const oddEntries = [
  '',
  '   ',
  'bash',
  'apply-patch',
  'cron',
  'image',
  'update_plan',
  'group:nope',
  'nosuchtool',
  'rea?',
  '[rw]*',
  'tool_search',
  'transcripts',
]
const globs = ['*', '**', '*e*', 'w*', 'web_*', 'sess*list', 'memory_*', '*_goal', 'im*', '*__*', 'github__*']
const moreGlobs = [
  'group:*',
  '*-core',
  'note*',
  'bundle*',
  'mcp-9lives__*',
  '*a*p*',
  'browser*',
  'tool_*',
  'brow*',
]
const pluginWords = ['group:plugins', 'bundle-mcp', 'group:ui', ...Object.keys(pluginPool)]
const otherTools = [
  'browser_shot',
  'dir_fetch',
  'note_add',
  'note_wipe',
  'recall_grep',
  'ledger',
  'ledger_read',
  'node_ping',
  'paint',
  'discord_send',
  'discord_react',
  'github__create_issue',
  'mcp-9lives__count',
  'wiki__get_page',
  'mail-box__send-mail',
  'pick_file',
  'confirm_box',
  'group_chat',
]
const broad = ['*', 'group:openclaw', 'group:fs', 'group:plugins', '*e*', 'group:sessions', 'read', 'write']

/** Draws configs, sessions and inventories that reach every rule of the policy facts, and many ways to misread one. */
class SessionMaker {
  readonly #random: Random
  readonly #edition: Edition
  readonly #names: readonly string[]
  readonly #groups: readonly string[]

  constructor(random: Random, edition: Edition) {
    this.#random = random
    this.#edition = edition
    this.#names = edition.tools.map((tool) => tool.id)
    this.#groups = Object.keys(edition.groups)
  }

  make(): ViewSource {
    const config = this.#config()
    return {
      config,
      edition: this.#edition,
      request: this.#request(config),
      entry: null,
      inventory: parseInventory(this.#inventory(), 'generated'),
    }
  }

  entry(): string {
    const random = this.#random
    const draw = random.next()
    const sorts = [this.#names, this.#groups, pluginWords, otherTools, globs, moreGlobs, oddEntries]
    const limits = [0.36, 0.54, 0.66, 0.78, 0.88, 0.94, 1]
    const text = random.pick(sorts[limits.findIndex((limit) => draw < limit)] ?? this.#names)
    const shape = random.next()
    if (shape < 0.05) return text.toUpperCase()
    if (shape < 0.1) return text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
    return shape < 0.15 ? ` ${text} ` : text
  }

  /** Lists of one scope; never `allow` and `alsoAllow` both filled, which no valid config has. */
  lists(): Lists {
    const random = this.#random
    const lists: Lists = {}
    const draw = random.next()
    if (draw < 0.3) {
      lists.allow = random.shuffle([...random.some(1 + random.below(6), broad), ...this.#entries(6)])
      if (random.chance(0.1)) lists.alsoAllow = []
    } else if (draw < 0.5) {
      lists.alsoAllow = this.#entries(4)
      if (random.chance(0.1)) lists.allow = []
    } else if (draw < 0.58) {
      lists.allow = []
    } else if (draw < 0.6) {
      lists[random.pick(['allow', 'alsoAllow'] as const)] = random.some(2, ['', '  '])
    }
    if (random.chance(0.45)) lists.deny = this.#entries(4)
    return lists
  }

  #entries(most: number): string[] {
    return Array.from({ length: this.#random.below(most + 1) }, () => this.entry())
  }

  #senders(): Record<string, Lists | null> {
    const random = this.#random
    const keys = random.some(1 + random.below(4), senderKeys)
    return Object.fromEntries(
      keys.map((key) => [key, random.chance(0.05) ? null : random.chance(0.2) ? {} : this.lists()]),
    )
  }

  #providers(): Raw {
    const random = this.#random
    const keys = [
      ...models,
      ...models.map((model) => model.slice(0, model.indexOf('/'))),
      ' openai ',
      'bedrock',
    ]
    return Object.fromEntries(
      random
        .some(1 + random.below(4), keys)
        .map((key) => [
          key,
          { ...this.lists(), ...random.maybe(0.3, 'profile', () => random.pick(profileIds)) },
        ]),
    )
  }

  /** What `tools` and an agent's `tools` share. */
  #scope(): Raw {
    const random = this.#random
    const patch = () => ({
      ...random.maybe(0.4, 'enabled', () => random.chance(0.5)),
      ...random.maybe(0.5, 'allowModels', () =>
        random.some(random.below(3), [...models, 'gpt-5.5', 'small:4b', ' ']),
      ),
    })
    return {
      ...this.lists(),
      ...random.maybe(0.35, 'profile', () => random.pick(profileIds)),
      ...random.maybe(0.3, 'byProvider', () => this.#providers()),
      ...random.maybe(0.25, 'toolsBySender', () => this.#senders()),
      ...random.maybe(0.3, 'sandbox', () => random.maybe(0.9, 'tools', () => this.lists())),
      ...random.maybe(0.15, 'exec', () => ({ applyPatch: patch() })),
      ...random.maybe(this.#edition.id === '2026.9' ? 0.15 : 0, 'swarm', () => ({
        enabled: random.chance(0.6),
      })),
    }
  }

  #tools(): Raw {
    const random = this.#random
    const isNew = this.#edition.id === '2026.9'
    const flag = () => random.chance(0.5)
    const searches = [true, false, {}, { mode: 'tools' }, { mode: 'directory' }, { enabled: true }]
    return {
      ...this.#scope(),
      ...random.maybe(0.3, 'subagents', () => ({ tools: this.lists() })),
      ...random.maybe(0.15, 'web', () => ({
        search: { enabled: flag(), ...random.maybe(0.3, 'provider', () => 'brave') },
        fetch: { enabled: flag() },
      })),
      ...random.maybe(0.4, 'toolSearch', () => random.pick(searches)),
      ...random.maybe(isNew ? 0 : 0.15, 'experimental', () => ({ planTool: flag() })),
      ...random.maybe(isNew ? 0.15 : 0, 'updatePlan', flag),
    }
  }

  #agent(): Raw {
    const random = this.#random
    return {
      ...random.maybe(0.7, 'tools', () => this.#scope()),
      ...random.maybe(0.2, 'sandbox', () => this.#sandbox()),
      ...random.maybe(0.1, 'experimental', () => ({ localModelLean: random.chance(0.5) })),
      ...random.maybe(0.1, 'model', () => random.pick(models)),
      ...random.maybe(0.1, 'imageModel', () => random.pick(models)),
      ...random.maybe(0.1, 'pdfModel', () => random.pick(models)),
    }
  }

  #sandbox(): Raw {
    const random = this.#random
    return {
      ...random.maybe(0.8, 'mode', () => random.pick(['off', 'non-main', 'all'])),
      ...random.maybe(0.4, 'workspaceAccess', () => random.pick(['none', 'ro', 'rw'])),
    }
  }

  #agents(): Raw {
    const random = this.#random
    const both = { main: this.#agent(), work: this.#agent() }
    const list = [
      { id: 'main', ...both.main },
      { id: 'work', ...both.work },
    ]
    const roster = random.pick([
      { entries: both },
      { list },
      { list: list.toReversed() },
      { entries: { Main: both.main, work: both.work } },
    ])
    return {
      ...roster,
      defaults: {
        ...random.maybe(0.5, 'sandbox', () => this.#sandbox()),
        ...random.maybe(0.2, 'experimental', () => ({ localModelLean: random.chance(0.8) })),
        ...random.maybe(0.2, 'subagents', () => ({ maxSpawnDepth: 1 + random.below(3) })),
        ...random.maybe(0.3, 'model', () =>
          random.pick([random.pick(models), { primary: random.pick(models) }]),
        ),
        ...random.maybe(0.1, 'imageModel', () => random.pick(models)),
        ...random.maybe(0.1, 'imageGenerationModel', () => random.pick(models)),
      },
    }
  }

  #groupMap(): Raw {
    const random = this.#random
    const ids = random.subset(0.5, ['*', '100', '-200', 'Team-7', 'team-7', '-200:topic:7', '100:topic:7'])
    return Object.fromEntries(
      ids.map((id) => [
        id,
        {
          ...random.maybe(0.6, 'tools', () => (random.chance(0.1) ? {} : this.lists())),
          ...random.maybe(0.4, 'toolsBySender', () => this.#senders()),
        },
      ]),
    )
  }

  #channels(): Raw {
    const random = this.#random
    const account = () => random.maybe(0.8, 'groups', () => (random.chance(0.2) ? {} : this.#groupMap()))
    return Object.fromEntries(
      random.subset(0.6, channelIds).map((id) => [
        id,
        {
          ...random.maybe(0.8, 'groups', () => this.#groupMap()),
          ...random.maybe(0.4, 'accounts', () =>
            Object.fromEntries(random.subset(0.7, accountIds).map((name) => [name, account()])),
          ),
          ...random.maybe(0.1, 'defaultAccount', () => random.pick(accountIds)),
        },
      ]),
    )
  }

  #plugins(): Raw {
    const random = this.#random
    const ids = Object.keys(pluginPool)
    const variants = () => random.subset(0.4, [...ids, 'NOTES', ' browser '])
    return {
      ...random.maybe(0.05, 'enabled', () => random.chance(0.3)),
      ...random.maybe(0.15, 'allow', () => (random.chance(0.2) ? [] : variants())),
      ...random.maybe(0.15, 'deny', () => variants().slice(0, 2)),
      ...random.maybe(0.3, 'entries', () =>
        Object.fromEntries(
          random.subset(0.3, ids).map((id) => [id, random.maybe(0.8, 'enabled', () => random.chance(0.5))]),
        ),
      ),
    }
  }

  #mcp(): Raw {
    const random = this.#random
    const filters = [
      'create_issue',
      'github__*',
      '*',
      'count',
      'get_page',
      'Get_Page',
      'Wiki__Get_Page',
      '*mail',
      'nope',
    ]
    const server = () => ({
      command: 'serve',
      ...random.maybe(0.2, 'enabled', () => random.chance(0.5)),
      ...random.maybe(0.5, 'toolFilter', () => ({
        ...random.maybe(0.6, 'include', () => random.some(random.below(3), filters)),
        ...random.maybe(0.4, 'exclude', () => random.some(random.below(3), filters)),
      })),
    })
    return {
      servers: Object.fromEntries(
        random.subset(0.4, Object.keys(serverPool)).map((name) => [name, server()]),
      ),
    }
  }

  #config(): Config {
    const random = this.#random
    const config: Raw = {
      ...random.maybe(0.9, 'tools', () => this.#tools()),
      ...random.maybe(0.7, 'agents', () => this.#agents()),
      ...random.maybe(0.5, 'channels', () => this.#channels()),
      ...random.maybe(0.35, 'plugins', () => this.#plugins()),
      ...random.maybe(0.3, 'mcp', () => this.#mcp()),
      ...random.maybe(0.1, 'commands', () => ({
        ownerAllowFrom: random.some(1 + random.below(2), ['u7', '77', 'telegram:u8', '*']),
      })),
      ...random.maybe(0.1, 'session', () => ({ mainKey: random.pick(['main', 'home']) })),
    }
    // What is drawn above is what the schema allows; a test asks the validator.
    return config as Config
  }

  #request(config: Config): SessionRequest {
    const random = this.#random
    const agentId = config.agents ? random.pick(['main', 'work']) : 'main'
    const group = random.pick(groupIds)
    const channel = random.pick([
      ...channelIds,
      'webchat',
      'node',
      'Node',
      'voice',
      'discord-voice',
      'teams',
      'discord',
    ])
    const rests = [
      'main',
      `telegram:direct:77`,
      `${channel}:group:${group}`,
      `telegram:group:${group}:topic:7`,
      `telegram:group:${group}:topic:7:sender:u7`,
      `msteams:second:group:${group}`,
      'subagent:abc',
      'subagent:abc:subagent:def',
      `telegram:group:${group}:subagent:abc`,
      'cron:job',
    ]
    const [provider = '', ...rest] = random.pick(models).split('/')
    const cap = (): string[] =>
      random.chance(0.2) ? random.pick([[], [' ']]) : [...random.some(2, broad), ...this.#entries(5)]
    return {
      agentId,
      ...random.maybe(0.75, 'sessionKey', () => `agent:${agentId}:${random.pick(rests)}`),
      ...(random.chance(0.7) ? { provider, model: rest.join('/') } : {}),
      ...random.maybe(0.5, 'channel', () => channel),
      ...random.maybe(0.2, 'accountId', () => random.pick([...accountIds, 'Second', 'third'])),
      ...random.maybe(0.3, 'groupId', () => group),
      ...random.maybe(0.1, 'threadId', () => '7'),
      ...random.maybe(0.6, 'sender', () => random.pick(people)),
      ...random.maybe(0.4, 'isOwner', () => random.chance(0.5)),
      ...random.maybe(0.15, 'sandboxed', () => random.chance(0.7)),
      ...random.maybe(0.15, 'spawnedBy', () => `agent:main:${random.pick(rests)}`),
      ...random.maybe(0.1, 'spawnDepth', () => random.below(4)),
      ...random.maybe(0.1, 'subagentRole', () => random.pick(['main', 'orchestrator', 'leaf'] as const)),
      ...random.maybe(0.1, 'inherited', () => {
        const { allow, deny } = this.lists()
        return { ...(allow && { allow }), ...(deny && { deny }) }
      }),
      ...random.maybe(0.12, 'toolsAllow', cap),
      ...random.maybe(0.1, 'harness', () => random.pick(['openclaw', 'codex'] as const)),
      ...random.maybe(0.4, 'supports', () => ({
        tools: random.chance(0.95),
        vision: random.chance(0.5),
        permission: random.chance(0.5),
      })),
      ...random.maybe(0.2, 'clientCaps', () =>
        random.subset(0.5, ['ui-commands', 'task-suggestions', 'canvas']),
      ),
      ...random.maybe(0.02, 'disableTools', () => true),
    }
  }

  #inventory(): Raw {
    const random = this.#random
    const plugins = random.subset(0.6, Object.entries(pluginPool)).map(([id, plugin]) => {
      const enabled = random.maybe(0.1, 'enabled', () => random.chance(0.5))
      return [id, { ...Object(plugin), ...enabled }]
    })
    return {
      plugins: Object.fromEntries(plugins),
      mcp: Object.fromEntries(random.subset(0.5, Object.entries(serverPool))),
      client: random.subset(0.2, clientPool).map((name) => ({ name })),
      channel: random.subset(0.3, channelPool),
      providers: Object.fromEntries(random.subset(0.7, providerIds).map((id) => [id, random.chance(0.7)])),
    }
  }
}

/** One random session of a random edition, ready for `openView`; the config is valid. */
export function randomSession(random: Random): ViewSource {
  return new SessionMaker(random, editions[random.pick(['2026.7', '2026.9'] as const)]).make()
}

/** One random list entry, as the lists of `randomSession` have them. */
export function randomEntry(random: Random, edition: Edition): string {
  return new SessionMaker(random, edition).entry()
}

/** Random lists of one scope, as those of `randomSession`. */
export function randomLists(random: Random, edition: Edition): Lists {
  return new SessionMaker(random, edition).lists()
}
