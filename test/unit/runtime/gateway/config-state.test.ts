import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigState } from '../../../../src/runtime/gateway/config-state.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

test.each([null, 'clawdbot.json'])(
  'a file that has gone leaves the last config in force, beside %s',
  async (other) => {
    const home = await tempDir({
      '.openclaw/openclaw.json': "{ tools: { deny: ['exec'] } }",
      ...(other !== null && { [`.openclaw/${other}`]: '{}' }),
    })
    const file = join(home, '.openclaw/openclaw.json')
    const options = { cwd: home, env: { OPENCLAW_HOME: home } }
    const state = await ConfigState.open({ options, onAccepted: () => {}, onProblem: () => {} })
    renameSync(file, `${file}.away`)
    await state.refresh()
    expect(state.problem).toBe(`${file} is gone`)
    const dial = { version: '0', signal: new AbortController().signal }
    await expect(state.dial(dial)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' })
    expect(state.current).toMatchObject({ revision: 1, each: { config: { tools: { deny: ['exec'] } } } })
    renameSync(`${file}.away`, file)
    await state.refresh()
    expect(state.problem).toBeNull()
  },
)

test('a change while the one before it is being read is not missed', async () => {
  const home = await tempDir()
  const file = join(home, 'openclaw.json')
  const write = (name: string): void => {
    writeFileSync(`${file}.new`, `\uFEFF{ tools: { deny: ['${name}'] } } // ${name.repeat(3)}`)
    renameSync(`${file}.new`, file)
  }
  write('first')
  const options = { cwd: home, env: { OPENCLAW_HOME: home, OPENCLAW_CONFIG_PATH: file } }
  const state = await ConfigState.open({ options, onAccepted: () => {}, onProblem: () => {} })
  const inForce = (): unknown => state.current.each.config.tools?.deny
  expect(inForce()).toEqual(['first'])
  const missed: number[] = []
  for (let turns = 0; turns < 30; turns++) {
    write(`early-${turns}`)
    const reading = state.refresh()
    // Reading gives way to nothing but promises.
    for (let count = 0; count < turns; count++) await Promise.resolve()
    write(`a-later-one-${turns}`)
    await reading
    await state.refresh()
    if (JSON.stringify(inForce()) !== JSON.stringify([`a-later-one-${turns}`])) missed.push(turns)
  }
  expect(missed).toEqual([])
  const { revision } = state.current
  await state.refresh()
  expect(state.current.revision).toBe(revision)
})
