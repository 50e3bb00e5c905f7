import { expect, test } from 'vitest'
import { explainTool } from '../../../src/policy/explain.ts'
import { locate, open, type Session } from './open.ts'

const recall = (more: object = {}): object => ({
  plugins: {
    recall: { manifest: { id: 'recall', contracts: { tools: ['recall_find'] }, ...more } },
  },
})

/** Why `recall_find` is off, where, and what would switch it on. */
function off(plugins: object = {}, inventory: object = recall()): string {
  const session: Session = { config: { plugins }, inventory }
  const { view, reopen } = open(session)
  const { verdict, decidedBy, fixes } = explainTool(view, 'recall_find', { reopen, locate })
  if (decidedBy === null) return `  ${verdict}`
  const { step, rule, reason, location } = decidedBy
  const commands = fixes.flatMap((fix) => (fix.verified ? fix.commands : []))
  return [
    `  ${verdict} at ${step} (${rule}): ${reason}`,
    `  ${location?.path ?? 'no place'}`,
    ...commands.map((line) => `  fix: ${line}`),
  ].join('\n')
}

test('every way a plugin can be off as a whole, with its place and the way out', () => {
  const cases: readonly [string, object?, object?][] = [
    ['nothing said'],
    ['all plugins off', { enabled: false }],
    [
      'denied, before anything else about it',
      { deny: ['x', 'Recall'], allow: ['x'], entries: { recall: { enabled: false } } },
    ],
    ['outside the allow list', { allow: ['x'] }],
    ['an empty allow list', { allow: [] }],
    ['disabled', { entries: { RECALL: { enabled: false } } }],
    ['off by default', {}, { enabledByDefault: false }],
    ['off by default, an entry without a word', { entries: { recall: {} } }, { enabledByDefault: false }],
    ['off by default, switched on', { entries: { Recall: { enabled: true } } }, { enabledByDefault: false }],
    ['off by default, put into a slot', { slots: { memory: 'recall' } }, { enabledByDefault: false }],
    ["its slot is another plugin's", { slots: { memory: 'other' } }, { kind: 'memory' }],
    ['its slot is empty', { slots: { memory: 'none' } }, { kind: 'memory' }],
    ['its slot is its own', { slots: { memory: 'Recall' } }, { kind: 'memory' }],
    ['its slot is not given', { slots: { memory: null } }, { kind: 'memory' }],
    ['the slot of another kind', { slots: { context: 'other' } }, { kind: 'memory' }],
    ['no slot of its own', { slots: { memory: 'other' } }],
  ]
  const results = cases.map(([what, plugins, manifest]) => `${what}\n${off(plugins, recall(manifest))}`)
  expect(results.join('\n')).toMatchInlineSnapshot(`
    "nothing said
      visible
    all plugins off
      unavailable at plugin (plugins.enabled): plugins are switched off
      plugins.enabled
      fix: openclaw config set plugins.enabled true
    denied, before anything else about it
      hidden at plugin (recall): plugins.deny names the plugin recall
      plugins.deny[1]
      fix: openclaw config unset 'plugins.deny[1]'
      fix: openclaw config set plugins.allow --append recall
      fix: openclaw config set plugins.entries.recall.enabled true
    outside the allow list
      hidden at plugin (null): plugins.allow does not name the plugin recall
      plugins.allow
      fix: openclaw config set plugins.allow --append recall
    an empty allow list
      visible
    disabled
      unavailable at plugin (plugin disabled): the plugin recall is disabled
      plugins.entries.RECALL.enabled
      fix: openclaw config set plugins.entries.RECALL.enabled true
    off by default
      unavailable at plugin (plugin disabled): the plugin recall is off by default: plugins.entries has to enable it
      no place
      fix: openclaw config set plugins.entries.recall.enabled true
    off by default, an entry without a word
      unavailable at plugin (plugin disabled): the plugin recall is off by default: plugins.entries has to enable it
      no place
      fix: openclaw config set plugins.entries.recall.enabled true
    off by default, switched on
      visible
    off by default, put into a slot
      visible
    its slot is another plugin's
      unavailable at plugin (plugin slot): plugins.slots.memory names the plugin other; recall works only in that slot
      plugins.slots.memory
      fix: openclaw config set plugins.slots.memory recall
    its slot is empty
      unavailable at plugin (plugin slot): plugins.slots.memory is none; recall works only in that slot
      plugins.slots.memory
      fix: openclaw config set plugins.slots.memory recall
    its slot is its own
      visible
    its slot is not given
      visible
    the slot of another kind
      visible
    no slot of its own
      visible"
  `)
})

test('a plugin that cannot run is unavailable, and no config edit helps', () => {
  const inventory = { plugins: { recall: { tools: ['recall_find'], problem: 'its code is\nmissing' } } }
  expect(off({}, inventory)).toMatchInlineSnapshot(`
    "  unavailable at plugin (plugin invalid): the plugin recall cannot run: its code is missing
      no place"
  `)
  expect(off({ entries: { recall: { enabled: false } } }, inventory)).toMatchInlineSnapshot(`
    "  unavailable at plugin (plugin disabled): the plugin recall is disabled
      plugins.entries.recall.enabled"
  `)
})

test('the bundled memory plugin stands for the memory slot', () => {
  const tools = (plugins: object): string[] => {
    const { view } = open({ config: { plugins } })
    return view.decisions.flatMap(({ tool, verdict }) =>
      tool.pluginId === 'memory-core' && verdict === 'visible' ? [tool.name] : [],
    )
  }
  expect(tools({ entries: { 'memory-core': {} } })).toEqual(['memory_get', 'memory_search'])
  expect(tools({ entries: { 'memory-core': {} }, slots: { memory: 'memory-core' } })).toHaveLength(2)
  expect(tools({ entries: { 'memory-core': {} }, slots: { memory: 'none' } })).toEqual([])
  expect(tools({ entries: { 'memory-core': {} }, slots: { memory: 'recall' } })).toEqual([])
})
