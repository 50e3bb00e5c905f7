import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'

/** Rooms from the lowest to the highest floor; a file may import from its own room and from lower floors only. */
const floors = [
  ['kernel'],
  ['config'],
  ['catalog'],
  ['policy'],
  ['sessions', 'plugins', 'mcp', 'tool-search', 'telemetry'],
  ['calls'],
  ['tools', 'agent'],
  ['gateway'],
  ['qa'],
  ['runtime'],
  ['ui'],
  ['commands'],
]

function importing(modules: string): RegExp {
  return new RegExp(`(?:\\bfrom\\s*|\\bimport\\s*\\(?\\s*|\\brequire\\(\\s*)['"](?:${modules})['"]`)
}

/** Code that is only allowed where it is somebody's job, with the files whose job it is. */
const guarded: readonly {
  readonly what: string
  readonly pattern: RegExp
  readonly files: readonly string[]
}[] = [
  {
    what: 'process.env',
    pattern: /\bprocess\.env\b|\benv\b[^;]*\}\s*=\s*process\b/,
    files: ['src/ui/terminal.ts', 'src/ui/base-command.ts'],
  },
  { what: 'process.cwd', pattern: /\bprocess\.cwd\b/, files: ['src/ui/base-command.ts'] },
  { what: 'process.exit', pattern: /\bprocess\.exit\b/, files: ['src/plugins/strays.ts'] },
  {
    what: 'child processes',
    pattern: importing('(?:node:)?child_process'),
    files: [
      'src/mcp/process-group.ts',
      'src/qa/processes.ts',
      'src/runtime/editor.ts',
      'src/tool-search/code/locked-child.ts',
      'src/tool-search/code/memory.ts',
      'src/tools/sandbox/probe.ts',
    ],
  },
  {
    what: 'the network',
    pattern: importing('(?:node:)?(?:net|http|https|http2|tls|dgram)|ws'),
    files: [
      'src/agent/providers/http.ts',
      'src/gateway/client.ts',
      'src/gateway/connection.ts',
      'src/gateway/http/openai-input.ts',
      'src/gateway/http/openai.ts',
      'src/gateway/http/reply.ts',
      'src/gateway/http/router.ts',
      'src/gateway/http/tools-invoke.ts',
      'src/gateway/server.ts',
      'src/mcp/tls-fetch.ts',
      'src/qa/local-site.ts',
      'src/qa/mock-openai/send.ts',
      'src/qa/mock-openai/server.ts',
      'src/tools/browser/guard-proxy.ts',
      'src/tools/web/transport.ts',
    ],
  },
]

/** Files whose answer may depend on their arguments alone; so may what they import. */
const pure = [
  'src/policy/evaluate.ts',
  'src/policy/matcher.ts',
  'src/tool-search/rank.ts',
  'src/tool-search/settings.ts',
]

/** What makes an answer depend on something else. `process.env` and its like are guarded everywhere. */
const impure =
  /['"]node:(?!util['"])[^'"]+['"]|\bprocess\.|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b/

/** Source text without comments, so that prose about an API is not taken for its use. */
function codeOf(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

function lineCount(file: string): number {
  return readFileSync(join(projectRoot, file), 'utf8').trimEnd().split('\n').length
}

/** Project files that a file imports, types included. */
function importsOf(file: string): string[] {
  const specifiers = codeOf(file).matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.[^'"]+)['"]/g)
  return [...specifiers].map(([, specifier = '']) => join(dirname(file), specifier))
}

/** The room of a file; files directly in src/ wire the rooms together. */
function roomOf(file: string): string {
  if (file.startsWith('commands/')) return 'commands'
  const [, room = '', rest] = file.split('/')
  return rest === undefined ? 'runtime' : room
}

function floorOf(room: string): number {
  return floors.findIndex((rooms) => rooms.includes(room))
}

const files = globSync(['src/**/*.{ts,tsx}', 'commands/**/*.ts'], { cwd: projectRoot })
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted()

describe('the house', () => {
  test('has no room that nobody has placed', () => {
    expect(files.filter((file) => floorOf(roomOf(file)) < 0)).toEqual([])
    expect(files.length).toBeGreaterThan(50)
  })

  test('imports point downwards', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => {
          const [from, to] = [roomOf(file), roomOf(target)]
          if (from === to) return from === 'commands'
          return floorOf(to) >= floorOf(from)
        })
        .map((target) => `${file} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test.each(guarded)('uses $what only where it is the job', ({ pattern, files: allowed }) => {
    const users = files.filter((file) => pattern.test(codeOf(file)))
    expect(users.filter((file) => !allowed.includes(file))).toEqual([])
    // An exception that nobody needs any more is a hole.
    expect(allowed.filter((file) => !users.includes(file))).toEqual([])
  })

  test.each(pure.filter((file) => files.includes(file)))('%s depends on its arguments alone', (start) => {
    const seen = new Set<string>()
    const queue = [start]
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      queue.push(...importsOf(file))
    }
    expect([...seen].filter((file) => impure.test(codeOf(file)))).toEqual([])
  })

  test('exports default only from commands, and every command does', () => {
    const defaults = files.filter((file) => /^export default\b/m.test(codeOf(file)))
    expect(defaults).toEqual(files.filter((file) => file.startsWith('commands/')))
  })

  test('keeps commands short', () => {
    const commands = files.filter((file) => file.startsWith('commands/'))
    expect(commands.filter((file) => lineCount(file) > 80)).toEqual([])
  })
})
