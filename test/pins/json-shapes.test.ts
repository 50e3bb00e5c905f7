import { describe, expect, test } from 'vitest'
import { shapeProblems } from '../helpers/shape.ts'
import { samplesOf } from '../helpers/samples.ts'

/*
 * The fields of contract §3 to §6, written down once more by hand. An answer may gain a field; losing, renaming or retyping one
 * breaks somebody's script.
 */

const location = (at: string): string => `${at} object|null
  ${at}.file string
  ${at}.path string
  ${at}.line number
  ${at}.column number`

const notices = (at: string): string => `${at} list
  ${at}[].id string
  ${at}[].severity string
  ${at}[].message string
  ${location(`${at}[].location`)}`

const hiding = (at: string): string => `${at}.step string
  ${at}.effect string
  ${at}.rule string|null
  ${at}.reason string
  ${location(`${at}.location`)}`

const shapes: Readonly<Record<string, string>> = {
  'tools-effective': `
    agentId string
    sessionKey string
    profile string
    edition string
    context object
    context.provider string|null
    context.model string|null
    context.channel string|null
    context.sender object|null
    context.sandboxed boolean
    context.subagentDepth number
    context.harness string
    context.origin string
    toolSearch object
    toolSearch.enabled boolean
    toolSearch.requestedMode string|null
    toolSearch.mode string|null
    toolSearch.codeTimeoutMs number
    toolSearch.searchDefaultLimit number
    toolSearch.maxSearchLimit number
    toolSearch.adjusted list
    toolSearch.adjusted[].key string
    toolSearch.adjusted[].from number
    toolSearch.adjusted[].to number
    toolSearch.adjusted[].because string
    toolSearch.fallback object|null
    toolSearch.fallback.from string
    toolSearch.fallback.to string
    toolSearch.fallback.because string
    groups list
    groups[].id string
    groups[].label string
    groups[].source string
    groups[].tools list
    groups[].tools[].id string
    groups[].tools[].name string
    groups[].tools[].label string
    groups[].tools[].description string
    groups[].tools[].source string
    groups[].tools[].exposure string
    groups[].tools[].pluginId? string
    groups[].tools[].mcpServer? string
    groups[].tools[].mcpToolName? string
    groups[].tools[].channelId? string
    hidden list
    hidden[].id string
    hidden[].source string
    hidden[].verdict string
    ${hiding('hidden[]')}
    hidden[].alsoHiddenBy list
    hidden[].alsoHiddenBy[] string
    ${notices('notices')}`,
  'tools-explain': `
    tool string
    known boolean
    source string|null
    verdict string
    decidedBy object|null
    ${hiding('decidedBy')}
    trace list
    trace[].step string
    trace[].outcome string
    trace[].rule string|null
    trace[].reason string
    ${location('trace[].location')}
    alsoHiddenBy list
    ${hiding('alsoHiddenBy[]')}
    missing list
    missing[] string
    fixes list
    fixes[].edits list
    fixes[].edits[].op string
    fixes[].edits[].path string
    fixes[].edits[].value string|boolean
    fixes[].commands list
    fixes[].commands[] string
    fixes[].verified boolean
    fixes[].alsoReveals list
    fixes[].alsoHides list
    suggestions list
    suggestions[] string`,
  'tools-catalog': `
    agentId string
    edition string
    profiles list
    profiles[].id string
    profiles[].label string
    groups list
    groups[].id string
    groups[].label string
    groups[].source string
    groups[].pluginId? string
    groups[].tools list
    groups[].tools[].id string
    groups[].tools[].label string
    groups[].tools[].description string
    groups[].tools[].source string
    groups[].tools[].pluginId? string
    groups[].tools[].optional? boolean
    groups[].tools[].defaultProfiles list`,
  'tools-diff': `
    sessions list
    sessions[].agentId string
    sessions[].sessionKey string
    sessions[].added list
    sessions[].added[] string
    sessions[].removed list
    sessions[].removed[].name string
    sessions[].removed[].step string
    sessions[].moved list
    sessions[].moved[].name string
    sessions[].moved[].from string
    sessions[].moved[].to string`,
  'tools-test': `
    passed number
    failed number
    cases list
    cases[].file string
    cases[].name string
    cases[].ok boolean
    cases[].problems list
    cases[].problems[] string`,
  'tools-snapshot': `
    edition string
    config object
    context object
    inventory object`,
  'config-validate': `
    valid boolean
    file string
    issues list
    issues[].path string
    issues[].message string
    issues[].expected? string
    issues[].got? string
    issues[].suggestion? string
    ${location('issues[].location').replace('object|null', 'object')}
    ${notices('warnings').replace('object|null', 'object')}`,
  'config-list': `
    items list
    items[].path string
    items[].value string|list|boolean|number`,
  'config-file': `
    file string
    exists boolean
    stateDir string`,
  failure: `
    error object
    error.code string
    error.message string
    error.hints list
    error.data object`,
}

test.each(Object.keys(shapes))('%s', async (name) => {
  expect(shapeProblems(shapes[name] ?? '', await samplesOf(name))).toEqual([])
})

describe('the words in them', () => {
  /** All values under a key, anywhere in the samples. */
  function words(value: unknown, key: string, found = new Set<unknown>()): Set<unknown> {
    if (typeof value !== 'object' || value === null) return found
    for (const [name, member] of Object.entries(value)) {
      if (name === key && typeof member === 'string') found.add(member)
      words(member, key, found)
    }
    return found
  }

  test.each<[string, string, readonly string[]]>([
    ['tools-effective', 'exposure', ['control', 'deferred', 'direct']],
    ['tools-effective', 'verdict', ['hidden', 'unavailable']],
    ['tools-effective', 'effect', ['deny', 'gate', 'not-allowed']],
    ['tools-effective', 'severity', ['info', 'warning']],
    ['tools-effective', 'harness', ['openclaw']],
    ['tools-explain', 'verdict', ['deferred', 'hidden', 'unavailable', 'unknown', 'visible']],
    ['tools-explain', 'outcome', ['deny', 'gate', 'not-allowed', 'pass', 'skipped']],
    ['tools-catalog', 'source', ['channel', 'client', 'core', 'mcp', 'plugin']],
  ])('%s: %s', async (name, key, expected) => {
    expect([...words(await samplesOf(name), key)].toSorted()).toEqual(expected)
  })
})

test('the bare value of config get', async () => {
  const { runJson } = await import('../helpers/run-cli.ts')
  const { smallHome } = await import('../helpers/small-home.ts')
  const home = await smallHome()
  for (const [path, value] of [
    ['tools.profile', 'coding'],
    ['tools.deny', ['group:web', 'note_wipe']],
    ['agents.list[id=guest].tools.exec', { ask: 'always' }],
  ] as const) {
    expect((await runJson(['config', 'get', path], { home })).json).toEqual(value)
  }
})
