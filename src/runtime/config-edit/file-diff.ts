import { structuredPatch } from 'diff'
import { dirname } from 'node:path'
import { expandHome } from '../../config/find.ts'
import { directiveKey, includeList, includeTarget } from '../../config/includes.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { isRecord } from '../../config/path-value.ts'
import { redactDocument } from '../../config/redact-document.ts'
import type { Path } from '../../kernel/path.ts'
import { cleanText } from '../../kernel/untrusted-text.ts'
import type { Edited } from './workspace.ts'

const contextLines = 3
const longestLine = 500

/** Where each included file's value stands in the config; of a file that is included twice the first place. */
export function includePlaces(loaded: LoadedConfig): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>()
  const expand = { expandHome: (path: string) => expandHome(path, loaded.home) }
  const visit = (file: string, value: unknown, path: Path): void => {
    if (Array.isArray(value)) for (const [at, item] of value.entries()) visit(file, item, [...path, at])
    if (!isRecord(value)) return
    for (const item of includeList(value[directiveKey]) ?? []) {
      if (typeof item !== 'string') continue
      const target = includeTarget(dirname(file), item, expand)
      if (places.has(target)) continue
      places.set(target, path)
      visit(target, loaded.documents.get(target)?.value, path)
    }
    for (const [key, item] of Object.entries(value)) visit(file, item, [...path, key])
  }
  if (loaded.documents.size > 0) visit(loaded.file, loaded.raw, [])
  return places
}

/** Both sides of a file; null is no file. */
export interface Sides {
  readonly from: string
  readonly to: string
  readonly before: string | null
  readonly after: string | null
  /** Where the file's value stands in the config. */
  readonly base: Path
}

/** A unified diff of two texts, secrets replaced; empty when they are the same. What differs in a secret alone still shows as a changed line. */
export function unifiedDiff({ from, to, before, after, base }: Sides): string {
  const [old, now] = [before ?? '', after ?? '']
  const { hunks } = structuredPatch(from, to, old, now, undefined, undefined, { context: contextLines })
  if (hunks.length === 0) return ''
  const oldLines = redactDocument(old, base).split('\n')
  const newLines = redactDocument(now, base).split('\n')
  const lines = [`--- ${before === null ? '/dev/null' : from}`, `+++ ${after === null ? '/dev/null' : to}`]
  for (const { oldStart, oldLines: removed, newStart, newLines: added, lines: body } of hunks) {
    lines.push(`@@ -${oldStart},${removed} +${newStart},${added} @@`)
    // A side without lines is counted from the line in front of it.
    let [oldAt, newAt] = [oldStart - (removed === 0 ? 0 : 1), newStart - (added === 0 ? 0 : 1)]
    for (const line of body) {
      const mark = line.charAt(0)
      if (mark === '\\') {
        lines.push(line)
        continue
      }
      const shown = mark === '+' ? newLines[newAt] : oldLines[oldAt]
      lines.push(mark + cleanText((shown ?? '').replace(/\r$/, ''), longestLine))
      if (mark !== '+') oldAt++
      if (mark !== '-') newAt++
    }
  }
  return lines.join('\n')
}

/** The unified diff of everything an edit changes, secrets replaced. */
export function diffOf({ before, after, files }: Edited): string {
  const places = new Map([...includePlaces(before), ...includePlaces(after)])
  return files
    .map(({ file, before: old, after: now }) =>
      unifiedDiff({ from: file, to: file, before: old, after: now, base: places.get(file) ?? [] }),
    )
    .join('\n')
}
