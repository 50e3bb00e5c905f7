import { readFileSync, statSync } from 'node:fs'
import { skillsIn, stateSkills } from '../../plugins/skills.ts'

const longestHead = 16_384

/**
 * Names of programs that the skills of this machine say they need (`bins` in the head of SKILL.md, below `skills` of the state directory).
 * Skills of a workspace do not count: an agent that writes there would allow itself whatever it likes.
 */
export function skillPrograms(stateDir: string): ReadonlySet<string> {
  return new Set(skillsIn([stateSkills(stateDir)], ['person']).flatMap(({ file }) => binsIn(file)))
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
