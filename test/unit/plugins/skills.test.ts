import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillsIn, stateSkills } from '../../../src/plugins/skills.ts'
import { tempDir } from '../../helpers/run-cli.ts'

test('skills are folders with a SKILL.md, down to the third below a place', async () => {
  const dir = await tempDir({
    'skills/one/SKILL.md': '',
    'skills/a/b/deep/SKILL.md': '',
    'skills/a/b/c/too-deep/SKILL.md': '',
    'skills/none/README.md': '',
    'skills/folder/SKILL.md/x': '',
  })
  const found = skillsIn([stateSkills(dir)], 'anybody')
  expect(found.map(({ name }) => name).toSorted()).toEqual(['deep', 'one'])
  expect(found).toContainEqual({ name: 'one', file: join(dir, 'skills/one/SKILL.md') })
})

test('only those count whose writer does', async () => {
  const dir = await tempDir({
    'skills/mine/SKILL.md': '',
    'workspace/skills/its/SKILL.md': '',
    'plugin/theirs/SKILL.md': '',
  })
  const places = [
    stateSkills(dir),
    { folder: join(dir, 'workspace/skills'), writer: 'agent' },
    { folder: join(dir, 'plugin'), writer: 'plugin' },
    { folder: join(dir, 'nowhere'), writer: 'person' },
  ] as const
  const names = (...args: [Parameters<typeof skillsIn>[1]]) =>
    skillsIn(places, ...args).map(({ name }) => name)
  expect(names('anybody')).toEqual(['mine', 'its', 'theirs'])
  expect(names(['person'])).toEqual(['mine'])
  expect(names(['agent', 'plugin'])).toEqual(['its', 'theirs'])
  expect(names([])).toEqual([])
})
