import { dirname, resolve } from 'node:path'
import { jsonResult } from '../../calls/model-text.ts'
import type { ToolResult } from '../../calls/types.ts'
import { findAgent } from '../../config/agents.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { suggest } from '../../kernel/suggest.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { OpenFamily } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { findMemoryFile, mayBeMemory, memoryFiles, readMemory, type MemoryPlaces } from './files.ts'
import { memoryNeed } from './needs.ts'
import { MemorySearch } from './search.ts'

const usualResults = 6
const usualLines = 200
const mostChars = 64 * 1024

/** The memory tools, over the Markdown files of the place where the session's files are. */
export function openMemory(options: CodingToolOptions): OpenFamily {
  const searcher = new MemorySearch()
  const places = async (): Promise<MemoryPlaces> => {
    const view = options.view()
    const need = memoryNeed(view)
    if (need !== null)
      throw new OpenClawError('TOOL_UNAVAILABLE', `memory needs ${need.needs}`, { hints: need.hints })
    const { cwd, roots } = await options.places.files()
    const { config } = view.policy.input
    const own = findAgent(config, view.context.agentId)?.config.memorySearch?.extraPaths
    const extra = own ?? config.agents?.defaults?.memorySearch?.extraPaths ?? []
    const isReachable = (file: string): boolean =>
      roots === null || roots.some(({ dir }) => file === dir || file.startsWith(`${dir}/`))
    const inHome = (path: string): string => path.replace(/^~(?=\/|$)/, options.homeDir)
    return { workspace: cwd, extra: extra.map((path) => resolve(cwd, inHome(path))).filter(isReachable) }
  }
  return {
    tools: {
      memory_search: {
        run: async ({ query, maxResults, minScore }) => {
          const found = await searcher.find(await places(), String(query), {
            maxResults: typeof maxResults === 'number' ? maxResults : usualResults,
            minScore: typeof minScore === 'number' ? minScore : 0,
          })
          return { result: jsonResult(found) }
        },
      },
      memory_get: {
        run: async ({ path, from, lines }) => ({
          result: await readLines(await places(), {
            path: String(path),
            from: typeof from === 'number' ? from : 1,
            lines: typeof lines === 'number' ? lines : usualLines,
          }),
        }),
      },
    },
  }
}

interface Range {
  readonly path: string
  readonly from: number
  readonly lines: number
}

async function readLines(places: MemoryPlaces, { path, from, lines }: Range): Promise<ToolResult> {
  const file = await findMemoryFile(places, path.replace(/#L\d+(?:-L?\d+)?$/, ''))
  if (file === null) {
    // Agents look for the notes of today before they have made any; a link or a folder in their place is none.
    if (mayBeMemory(places, path))
      return said(
        { path, exists: false, from: 1, lines: 0, totalLines: 0, text: '' },
        `${path} does not exist yet`,
      )
    throw await noMemory(places, path)
  }
  const text = readMemory(file)
  if (text === null) {
    throw new OpenClawError(
      'TOOL_FAILED',
      `${file.path} cannot be read: it is larger than 1 MiB, holds no text, or has been replaced`,
      {
        hints: [`keep memory in files below ${dirname(file.path)} that are smaller`],
      },
    )
  }
  const all = text.split(/\r\n?|\n/)
  if (all.at(-1) === '') all.pop()
  const given: string[] = []
  let size = 0
  for (const line of all.slice(from - 1, from - 1 + lines)) {
    size += line.length + 1
    if (size > mostChars && given.length > 0) break
    const left = line.length - mostChars
    given.push(
      left > 0
        ? `${line.slice(0, mostChars).toWellFormed()} … [${left} characters of this line are left out]`
        : line,
    )
  }
  const next = from + given.length
  const isMore = next <= all.length
  const shown = given.join('\n')
  const details = {
    path: file.path,
    exists: true,
    from,
    lines: given.length,
    totalLines: all.length,
    text: shown,
  }
  const rest = isMore ? `\n[lines ${next} to ${all.length} are left; go on with from: ${next}]` : ''
  return said(isMore ? { ...details, nextFrom: next } : details, `${shown}${rest}`)
}

function said(details: object, text: string): ToolResult {
  return { content: [{ type: 'text', text }], details }
}

async function noMemory(places: MemoryPlaces, path: string): Promise<OpenClawError> {
  const names = (await memoryFiles(places)).map((file) => file.path)
  return new OpenClawError('INPUT_INVALID', `${showName(path, 200)} is no memory file`, {
    hints: [...suggest(path, names, 3), 'memory is MEMORY.md and the Markdown files below memory/'],
  })
}
