import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const deepest = 3
const longestHead = 16_384

/**
 * Names of programs that the skills of this machine say they need (`bins` in the head of SKILL.md, below `skills` of the state directory).
 * Skills of a workspace do not count: an agent that writes there would allow itself whatever it likes.
 */
export function skillPrograms(stateDir: string): ReadonlySet<string> {
  const names = new Set<string>()
  collect(join(stateDir, 'skills'), names, 0)
  return names
}

function collect(folder: string, names: Set<string>, depth: number): void {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isFile() && entry.name === 'SKILL.md') for (const name of binsIn(path)) names.add(name)
    else if (entry.isDirectory() && depth < deepest) collect(path, names, depth + 1)
  }
}

function binsIn(file: string): readonly string[] {
  let text: string
  try {
    if (statSync(file).size > 1024 * 1024) return []
    text = readFileSync(file, 'utf8').slice(0, longestHead)
  } catch {
    return []
  }
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? ''
  const lists = [
    ...head.matchAll(/["']?\b(?:anyBins|bins)["']?\s*:\s*\[([^\]]*)\]/g),
    ...head.matchAll(/^\s*(?:anyBins|bins):[ \t]*\r?\n((?:\s*-[^\n]*\n?)+)/gm),
  ]
  return lists.flatMap(([, list = '']) => list.match(/[\w][\w.+-]*/g) ?? [])
}
