import { expect, test } from 'vitest'
import { coreToolSpec } from '../../../../src/catalog/core-tools/all.ts'
import { hostNeeds, pluginHostNeeds } from '../../../../src/tools/plugin-hosts/needs.ts'
import { openPluginHosts } from '../../../../src/tools/plugin-hosts/plugin-hosts.ts'
import { families } from '../../../../src/tools/families.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'

test.each(Object.keys(hostNeeds))('%s says what it needs, before and when it is called', async (name) => {
  const { view } = await familyOptions()
  const facts = { view: view(), env: {}, stateDir: '/', hasProgram: () => false, services: null }
  const need = pluginHostNeeds[name]?.(facts)
  const error = await failure(callTool(openPluginHosts(), name, {}))
  expect(error).toMatchObject({
    code: 'TOOL_UNAVAILABLE',
    message: `${name} needs ${need?.needs}`,
    hints: need?.hints,
  })
  expect(families.filter(({ names }) => names.includes(name))).toHaveLength(1)
})

test.each(Object.keys(hostNeeds).filter((name) => name !== 'transcripts'))(
  '%s has an input that is closed',
  (name) => {
    expect(coreToolSpec(name, '2026.9')).toMatchObject({ parameters: { additionalProperties: false } })
  },
)
