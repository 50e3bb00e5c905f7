import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseTestFile } from '../../../src/policy/test-file.ts'
import type { View } from '../../../src/policy/view.ts'
import { constructionPlan, createOpenClawCodingTools } from '../../../src/tools/coding-tools.ts'
import { families } from '../../../src/tools/families.ts'
import { constructionParts } from '../../../src/tools/family.ts'
import type { CodingToolOptions } from '../../../src/tools/options.ts'
import { projectRoot } from '../../helpers/project.ts'
import { open } from '../policy/open.ts'

const name = `${projectRoot}fixtures/policy/five-sessions.json`
const file = parseTestFile(JSON.parse(readFileSync(name, 'utf8')), name)
const sessions = new Map(file.cases.map((each) => [each.name, open({ ...file, ...each }).view]))

function optionsOf(view: () => View): CodingToolOptions {
  const nowhere = async (): Promise<never> => {
    throw new Error('no tool is called here')
  }
  return {
    view,
    runId: 'r',
    workspace: '/nowhere',
    stateDir: '/nowhere',
    homeDir: '/nowhere',
    env: {},
    clock: () => 0,
    tell: () => {},
    places: { files: nowhere, commands: nowhere },
    services: {},
  }
}

function partsOf(view: View): string[] {
  const plan = constructionPlan({ view: () => view })
  return constructionParts.filter((part) => plan[part])
}

describe('the parts that are built', () => {
  test.each([
    ["the owner's direct chat", ['baseCoding', 'shell', 'web', 'openclaw', 'plugin']],
    ['a guest in a group', ['openclaw']],
    ['a sandboxed child', ['baseCoding', 'shell', 'openclaw']],
    ['a provider that is restricted', ['openclaw']],
    ['a plugin that is disabled', ['baseCoding', 'shell', 'web', 'openclaw']],
  ])('%s', (session, parts) => {
    expect(partsOf(sessions.get(session)!)).toEqual(parts)
  })

  test('no session misses a fixture', () => {
    expect(sessions.size).toBe(5)
  })
})

describe('the tools that are built', () => {
  test('are those the session sees, each with an executor', () => {
    const view = sessions.get('a guest in a group')!
    const tools = createOpenClawCodingTools(optionsOf(() => view))
    expect(tools.tools.map((tool) => tool.name)).toEqual(['session_status', 'message'])
    expect(tools.executor('message')).toBeDefined()
    expect(tools.executor('exec')).toBeUndefined()
    expect(tools.executor('read')).toBeUndefined()
  })

  test('follow a session that is judged anew', () => {
    let view = sessions.get('a guest in a group')!
    const tools = createOpenClawCodingTools(optionsOf(() => view))
    expect(tools.executor('exec')).toBeUndefined()
    view = sessions.get("the owner's direct chat")!
    expect(tools.executor('exec')).toBeDefined()
    expect(tools.plan.shell).toBe(true)
  })

  test('leave out a part that a plan leaves out', () => {
    const view = sessions.get("the owner's direct chat")!
    const plan = { ...constructionPlan({ view: () => view }), shell: false }
    const tools = createOpenClawCodingTools(
      optionsOf(() => view),
      plan,
    )
    expect(tools.tools.map((tool) => tool.name)).not.toContain('exec')
    expect(tools.executor('exec')).toBeUndefined()
    expect(tools.executor('read')).toBeDefined()
  })
})

test('no tool belongs to two families', () => {
  const names = families.flatMap((family) => family.names)
  expect(names.filter((each, at) => names.indexOf(each) !== at)).toEqual([])
})

test.each(['2026.7', '2026.9'] as const)(
  'every built-in tool of edition %s has a family and an input',
  (edition) => {
    const providers = {
      image: true,
      image_generate: true,
      video_generate: true,
      music_generate: true,
      tts: true,
      web_search: true,
      x_search: true,
      pdf: true,
      code_execution: true,
    }
    const { inventory } = open({ edition, inventory: { providers } }).view
    const controls = ['tool_search_code', 'tool_search', 'tool_describe', 'tool_call']
    const owned = new Set(families.flatMap((family) => family.names))
    const core = inventory.tools.filter(
      ({ source, name: tool }) => source === 'core' && !controls.includes(tool),
    )
    expect(core.filter((tool) => !owned.has(tool.name)).map((tool) => tool.name)).toEqual([])
    expect(core.filter((tool) => tool.parameters === undefined).map((tool) => tool.name)).toEqual([])
    expect(core.length).toBeGreaterThan(30)
  },
)
