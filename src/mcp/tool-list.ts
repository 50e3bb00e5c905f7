import { isRecord } from '../catalog/source.ts'
import { faultError } from './fault.ts'
import { inMegabytes, largestList, mostPages, mostTools } from './limits.ts'

/** One page of a tool list as it came. */
export interface Page {
  readonly tools: unknown
  readonly nextCursor: unknown
}

const kept = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'execution',
] as const
/** Levels of nesting that are kept; far more than any schema may have, far fewer than a recursive reader survives. */
const deepest = 200

/** Reads all pages of a tool list, with what about it was odd. A list that does not end, or no list at all, is a fault. */
export async function readPages(
  readPage: (cursor: string | undefined) => Promise<Page>,
  remark: (text: string) => void,
): Promise<readonly unknown[]> {
  const tools: unknown[] = []
  const cursors = new Set<string>()
  let size = 0
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const page = await readPage(cursor)
    if (!Array.isArray(page.tools))
      throw faultError('protocol', 'it answered tools/list without a list of tools')
    for (const tool of page.tools) {
      const own = keptParts(tool)
      size += JSON.stringify(own)?.length ?? 0
      tools.push(own)
    }
    if (tools.length > mostTools) throw faultError('flood', `it lists more than ${mostTools} tools`)
    if (size > largestList)
      throw faultError('flood', `its tool list is larger than ${inMegabytes(largestList)}`)
    const { nextCursor } = page
    if (typeof nextCursor !== 'string' || nextCursor === '') return tools
    if (cursors.has(nextCursor)) {
      remark(`its tool list repeats itself after page ${pages}`)
      return withoutRepeated(tools)
    }
    if (pages >= mostPages) throw faultError('flood', `its tool list does not end after ${mostPages} pages`)
    cursors.add(nextCursor)
    cursor = nextCursor
  }
}

/** The list without tools of a name that came before: the page that came twice. */
function withoutRepeated(tools: readonly unknown[]): readonly unknown[] {
  const seen = new Set<unknown>()
  return tools.filter((tool) => {
    const name = isRecord(tool) ? tool['name'] : tool
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}

/** What of a listed tool is used; the rest (icons, extensions) may be of any size. */
function keptParts(tool: unknown): unknown {
  if (!isRecord(tool)) return typeof tool === 'string' ? tool : null
  return Object.fromEntries(
    kept.flatMap((key) => (Object.hasOwn(tool, key) ? [[key, cutBelow(tool[key], deepest)]] : [])),
  )
}

/** A copy without what lies deeper than `levels`, so that printing and storing it cannot overflow. */
function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return Array.isArray(value) ? [] : {}
  if (Array.isArray(value)) return value.map((item) => cutBelow(item, levels - 1))
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(copy, key, {
      value: cutBelow(item, levels - 1),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return copy
}
