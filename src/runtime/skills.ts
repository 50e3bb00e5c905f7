import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { expandHome } from '../config/find.ts'
import { getIn } from '../config/path-value.ts'
import type { Case } from './case.ts'

/** How deep below a skills folder a SKILL.md may lie. */
const maxDepth = 3

function skillsBelow(folder: string, depth: number, found: Set<string>): void {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    // No such folder, or not ours to read: then it holds no skill that could be named.
    return
  }
  for (const entry of entries) {
    if (entry.isFile() && entry.name === 'SKILL.md') found.add(basename(dirname(join(folder, entry.name))))
    else if (entry.isDirectory() && depth < maxDepth) skillsBelow(join(folder, entry.name), depth + 1, found)
  }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** Names of the skills in reach: folders with a SKILL.md in the workspace, the state dir or `skills.load.extraDirs`, and `skills.entries` of the config. */
export function skillNames(each: Case): string[] {
  const { loaded, config } = each
  const found = new Set<string>(Object.keys(config.skills?.entries ?? {}))
  if (loaded) {
    const base = dirname(loaded.file)
    const workspace = config.agents?.defaults?.workspace ?? join(loaded.stateDir, 'workspace')
    const extra = texts(getIn(config, ['skills', 'load', 'extraDirs']))
    const roots = [join(workspace, 'skills'), join(loaded.stateDir, 'skills'), ...extra]
    for (const root of roots) skillsBelow(resolve(base, expandHome(root, loaded.home)), 0, found)
  }
  return [...found].toSorted()
}
