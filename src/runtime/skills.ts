import { readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { expandHome } from '../config/find.ts'
import { listAgents } from '../config/agents.ts'
import { getIn } from '../config/path-value.ts'
import type { Config } from '../config/types.ts'
import type { Case } from './case.ts'

/** How deep below a skills folder a SKILL.md may lie. */
const maxDepth = 3

/** Collects the skills below a folder: names of folders with a SKILL.md, and that file. */
export function skillsBelow(folder: string, found: Map<string, string>, depth = 0): void {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    // No such folder, or not ours to read: then it holds no skill that could be named.
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isFile() && entry.name === 'SKILL.md') found.set(basename(folder), path)
    else if (entry.isDirectory() && depth < maxDepth) skillsBelow(path, found, depth + 1)
  }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** Skills that the config names: its entries, and what agents are given. */
function configuredSkills(config: Config): string[] {
  const given = [config.agents?.defaults, ...listAgents(config).map((agent) => agent.config)]
  return [
    ...Object.keys(config.skills?.entries ?? {}),
    ...given.flatMap((agent) => texts(getIn(agent, ['skills']))),
  ]
}

/** Names of the skills in reach: folders with a SKILL.md in the workspace of an agent, the state dir, `skills.load.extraDirs` or a plugin, and those which the config names. */
export function skillNames(each: Case): string[] {
  const { loaded, config, discovered } = each
  const found = new Map<string, string>()
  if (loaded) {
    const base = dirname(loaded.file)
    const workspaces = [
      config.agents?.defaults?.workspace ?? join(loaded.stateDir, 'workspace'),
      ...listAgents(config).flatMap((agent) => agent.config.workspace ?? []),
    ]
    const extra = texts(getIn(config, ['skills', 'load', 'extraDirs']))
    const roots = [
      ...workspaces.map((workspace) => join(workspace, 'skills')),
      join(loaded.stateDir, 'skills'),
      ...extra,
    ]
    for (const root of roots) skillsBelow(resolve(base, expandHome(root, loaded.home)), found)
  }
  for (const plugin of discovered?.plugins?.plugins ?? []) {
    if (plugin.shadowedBy === null) for (const folder of plugin.skillFolders) skillsBelow(folder, found)
  }
  return [...new Set([...configuredSkills(config), ...found.keys()])].toSorted()
}
