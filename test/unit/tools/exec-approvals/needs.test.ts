import { describe, expect, test } from 'vitest'
import type { NeedFacts } from '../../../../src/tools/need.ts'
import { unmetNeed } from '../../../../src/tools/needs.ts'
import { tempDir } from '../../../helpers/run-cli.ts'
import { open } from '../../policy/open.ts'

async function need(config: unknown, file?: string, context: object = {}) {
  const stateDir = await tempDir(file === undefined ? {} : { 'exec-approvals.json': file })
  const { view } = open({ config, context })
  const facts: NeedFacts = { view, env: {}, stateDir, hasProgram: () => true, services: null }
  return unmetNeed('exec', facts)
}

describe('exec', () => {
  test.each([
    ['nothing is said', {}, undefined],
    ['commands are asked for', { tools: { exec: { mode: 'ask' } } }, undefined],
    ['only some may run', {}, '{"version":1,"defaults":{"security":"allowlist"}}'],
    ['only others may not', {}, '{"version":1,"agents":{"other":{"security":"deny"}}}'],
  ])('needs nothing where %s', async (_, config, file) => {
    expect(await need(config, file)).toBeNull()
  })

  test('needs leave where the config denies every command, and says which key does', async () => {
    expect(await need({ tools: { exec: { mode: 'deny' } } })).toEqual({
      needs: 'leave to run commands here, which tools.exec.mode denies',
      path: 'tools.exec.mode',
      hints: ['openclaw config set tools.exec.mode ask'],
    })
    expect(await need({ tools: { exec: { security: 'deny' } } })).toMatchObject({
      hints: ['openclaw config set tools.exec.security allowlist'],
    })
  })

  test('needs leave of the approvals file, and a sound one', async () => {
    expect(await need({}, '{"version":1,"defaults":{"security":"deny"}}')).toMatchObject({
      needs: 'leave to run commands here, which exec-approvals.json (defaults.security) denies',
      path: null,
    })
    expect((await need({}, '{'))?.needs).toMatch(/^a sound exec-approvals\.json: .*it is no JSON/)
  })

  test('needs neither in a sandbox', async () => {
    const config = { tools: { exec: { mode: 'deny' } } }
    expect(await need(config, '{', { sandboxed: true })).toBeNull()
  })
})
