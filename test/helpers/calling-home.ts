import { faultyServer } from './mcp.ts'
import { tempDir } from './run-cli.ts'

const manifest = {
  id: 'kit',
  configSchema: { type: 'object' },
  contracts: { tools: ['note_add', 'note_wipe', 'note_ask', 'note_fail', 'note_wrong', 'note_slow'] },
}

/** A plugin whose tools write what they did into `calls.log` beside them, and whose hooks block, ask and change. */
const code = `
import { appendFileSync } from 'node:fs'
import { definePluginEntry, textResult } from 'openclaw-toolchain/plugin'
console.log('noise of a plugin')
const did = (what) => appendFileSync(new URL('calls.log', import.meta.url), what + '\\n')
const closed = (properties, required) => ({ type: 'object', properties, required, additionalProperties: false })
const text = closed({ text: { type: 'string' } }, ['text'])
export default definePluginEntry({
  id: 'kit',
  name: 'Kit',
  register(api) {
    api.registerTool({
      name: 'note_add', description: 'Add a note', parameters: text,
      outputSchema: closed({ length: { type: 'integer' } }, ['length']),
      async execute(_id, { text }) {
        process.stdout.write('more noise\\n')
        did('add ' + text)
        return textResult('added ' + text, { length: text.length })
      },
    })
    api.registerTool({
      name: 'note_wipe', description: 'Remove every note', parameters: closed({ path: { type: 'string' } }, []),
      async execute(_id, { path = 'all' }) { did('wipe ' + path); return textResult('wiped ' + path) },
    })
    api.registerTool({
      name: 'note_ask', description: 'Ask quickly', parameters: closed({}, []),
      async execute() { did('ask'); return textResult('asked') },
    })
    api.registerTool({
      name: 'note_fail', description: 'Fail', parameters: closed({}, []),
      async execute() { throw new Error('the disk is full') },
    })
    api.registerTool({
      name: 'note_wrong', description: 'Break a promise', parameters: closed({}, []),
      outputSchema: closed({ n: { type: 'number' } }, ['n']),
      async execute() { return textResult('x', { n: 'one' }) },
    })
    api.registerTool({
      name: 'note_slow', description: 'Never end', parameters: closed({}, []),
      execute: () => new Promise(() => setInterval(() => {}, 1000)),
    })
    api.on('before_tool_call', ({ toolName, params }) => {
      if (toolName === 'note_wipe') return { requireApproval: { title: 'Remove notes?', description: 'All of them.' } }
      if (toolName === 'note_ask') return { requireApproval: { title: 'Quick?', timeoutMs: 50 } }
      if (params.text === 'bad') return { block: true, blockReason: 'no bad notes' }
      if (params.text === 'shout') return { params: { text: 'SHOUT' } }
    })
  },
})
`

/** A home with that plugin and, unless told otherwise, a working MCP server called \`demo\`; its calls can be read from \`plugin/calls.log\`. */
export async function callingHome(
  config: Readonly<Record<string, unknown>> = {},
  servers: Readonly<Record<string, unknown>> = { demo: { command: process.execPath, args: [faultyServer] } },
): Promise<string> {
  return tempDir({
    '.openclaw/openclaw.json': JSON.stringify({
      plugins: { load: { paths: ['../plugin'] } },
      mcp: { servers },
      ...config,
    }),
    'plugin/openclaw.plugin.json': JSON.stringify(manifest),
    'plugin/package.json': JSON.stringify({ type: 'module', openclaw: { extensions: ['./index.js'] } }),
    'plugin/index.js': code,
  })
}
