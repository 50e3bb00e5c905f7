import { readFileSync } from 'node:fs'

/** File of the state directory that has the server's code. */
export const labServerFile = 'lab-server.mjs'

/*
 * A whole MCP server over standard input and output without any library, so that it runs wherever this program is installed. Its tool `die`
 * ends the process in the middle of the call.
 */
const source = `
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , pidFile] = process.argv
appendFileSync(pidFile, process.pid + '\\n')

const schema = { type: 'object', properties: { text: { type: 'string' } } }
const tools = [
  { name: 'echo', description: 'Repeat a text.', inputSchema: schema },
  { name: 'die', description: 'End the server in the middle of the call.', inputSchema: schema },
]

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'lab', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args }) => {
    if (name === 'die') process.kill(process.pid, 'SIGKILL')
    return { content: [{ type: 'text', text: 'ECHO ' + (args?.text ?? '') }] }
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  const body = answer ? { result: answer(params ?? {}) } : { error: { code: -32601, message: 'unknown method' } }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n')
}
`

/** The server as a file of a home, and what the config says of it. */
export function labServer(options: {
  readonly node: string
  readonly script: string
  readonly pidFile: string
}) {
  const { node, script, pidFile } = options
  return {
    files: { [labServerFile]: source },
    servers: { lab: { command: node, args: [script, pidFile] } },
  }
}

/** Processes in a file of process ids that still live. */
export function livingIn(pidFile: string): readonly number[] {
  return pidsIn(pidFile).filter((pid) => {
    try {
      process.kill(pid, 0)
      // What nobody has asked about since its end still has its id.
      return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  })
}

/** How many processes have written their id. */
export function startsIn(pidFile: string): number {
  return pidsIn(pidFile).length
}

function pidsIn(pidFile: string): readonly number[] {
  try {
    return readFileSync(pidFile, 'utf8').split('\n').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
