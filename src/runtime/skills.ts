import { dirname, join, resolve } from 'node:path'
import { expandHome } from '../config/find.ts'
import { listAgents } from '../config/agents.ts'
import { getIn } from '../config/path-value.ts'
import type { Config } from '../config/types.ts'
import { skillsIn, stateSkills, type SkillPlace, type SkillWriter } from '../plugins/skills.ts'
import type { Case } from './case.ts'

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

/** Every place of this machine that may hold skills: workspaces of agents, the state directory, `skills.load.extraDirs` and plugins. */
function skillPlaces({ loaded, config, discovered }: Case): readonly SkillPlace[] {
  const plugins = (discovered?.plugins?.plugins ?? []).filter(({ shadowedBy }) => shadowedBy === null)
  const ofPlugins = plugins.flatMap(({ skillFolders }) =>
    skillFolders.map((folder): SkillPlace => ({ folder, writer: 'plugin' })),
  )
  if (loaded === null) return ofPlugins
  const place = (folder: string, writer: SkillWriter): SkillPlace => ({
    folder: resolve(dirname(loaded.file), expandHome(folder, loaded.home)),
    writer,
  })
  const workspaces = [
    config.agents?.defaults?.workspace ?? join(loaded.stateDir, 'workspace'),
    ...listAgents(config).flatMap((agent) => agent.config.workspace ?? []),
  ]
  return [
    ...workspaces.map((workspace) => place(join(workspace, 'skills'), 'agent')),
    stateSkills(loaded.stateDir),
    ...texts(getIn(config, ['skills', 'load', 'extraDirs'])).map((folder) => place(folder, 'person')),
    ...ofPlugins,
  ]
}

/** Names of the skills in reach, whoever wrote them, and of those which the config names. */
export function skillNames(each: Case): string[] {
  const found = skillsIn(skillPlaces(each), 'anybody').map(({ name }) => name)
  return [...new Set([...configuredSkills(each.config), ...found])].toSorted()
}
