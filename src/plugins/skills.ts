import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Whose word a skill is: `person` of who owns this machine, in the state directory or where the config says; `agent` of any agent that writes
 * in its workspace; `plugin` of whoever wrote one.
 */
export type SkillWriter = 'person' | 'agent' | 'plugin'

/** A folder that skills are looked for in. */
export interface SkillPlace {
  readonly folder: string
  readonly writer: SkillWriter
}

/** A skill: the folder that has a SKILL.md, by its name, and that file. */
export interface Skill {
  readonly name: string
  readonly file: string
}

/** How deep below a place a SKILL.md may lie. */
const deepest = 3

/** Where the skills of a state directory lie. */
export function stateSkills(stateDir: string): SkillPlace {
  return { folder: join(stateDir, 'skills'), writer: 'person' }
}

/** The skills of those places whose writers count. A folder that is not there, or not ours to read, holds none. */
export function skillsIn(
  places: readonly SkillPlace[],
  counting: readonly SkillWriter[] | 'anybody',
): readonly Skill[] {
  const counted = places.filter(({ writer }) => counting === 'anybody' || counting.includes(writer))
  return counted.flatMap(({ folder }) => skillsBelow(folder, 0))
}

function skillsBelow(folder: string, depth: number): Skill[] {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isFile() && entry.name === 'SKILL.md') return [{ name: basename(folder), file: path }]
    return entry.isDirectory() && depth < deepest ? skillsBelow(path, depth + 1) : []
  })
}
