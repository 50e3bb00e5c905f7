import { expect, test } from 'vitest'
import { configHome } from '../helpers/config-home.ts'

const notes = { 'workspace/MEMORY.md': '# Servers\n\nStaging is called hedgehog.\n' }
const on = '{ plugins: { entries: { "memory-core": { enabled: true } } } }'
const search = ['tools', 'call', 'memory_search', '--args', '{query:"hedgehog"}']

test('memory is searched where its plugin is switched on, and nowhere else', async () => {
  const { json } = await configHome({ ...notes, 'openclaw.json': on })
  expect((await json(search)).json).toMatchObject({
    tool: { id: 'openclaw:memory-core:memory_search' },
    result: { details: { results: [{ citation: 'MEMORY.md#L1-L3' }], files: 1 } },
  })
  const described = await json(['tools', 'describe', 'memory_get'])
  expect(described.json).toMatchObject({ parameters: { required: ['path'], additionalProperties: false } })
  const off = await configHome({ ...notes, 'openclaw.json': '{}' })
  expect((await off.json(search)).json).toMatchObject({ error: { code: 'TOOL_UNAVAILABLE' } })
})

test('an installed plugin of that id takes the place of what is built in', async () => {
  const { json } = await configHome({
    ...notes,
    'openclaw.json': on,
    'plugins/memory-core/openclaw.plugin.json': JSON.stringify({
      id: 'memory-core',
      configSchema: { type: 'object' },
      contracts: { tools: ['memory_search'] },
    }),
    'plugins/memory-core/package.json': JSON.stringify({
      type: 'module',
      openclaw: { extensions: ['./index.js'] },
    }),
    'plugins/memory-core/index.js': `export default { id: 'memory-core', register(api) {
      api.registerTool({ name: 'memory_search', description: 'Mine.', parameters: { type: 'object' },
        execute: async () => ({ content: [{ type: 'text', text: 'mine' }] }) })
    } }`,
  })
  expect((await json(search)).json).toMatchObject({ result: { content: [{ text: 'mine' }] } })
})
