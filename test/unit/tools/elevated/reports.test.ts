import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { elevatedContext, elevatedEffect } from '../../../../src/runtime/elevated.ts'
import { readLevel, resolveElevated } from '../../../../src/tools/elevated/resolve.ts'
import { keptReply } from '../../../../src/tools/elevated/words.ts'
import { chooseHost } from '../../../../src/tools/sandbox/exec-host.ts'
import { projectRoot } from '../../../helpers/project.ts'
import { open } from '../../policy/open.ts'

interface Report {
  readonly id: string
  readonly title: string
  readonly config: unknown
  readonly context: unknown
  readonly session?: string
  readonly expect: {
    readonly allowed: boolean
    readonly level: string
    readonly host: string
    readonly reply?: string
  }
}

const { cases }: { readonly cases: readonly Report[] } = JSON.parse(
  readFileSync(join(projectRoot, 'fixtures/elevated/reports.json'), 'utf8'),
)

test.each(cases)('$id: $title', ({ config, context, session, expect: wanted }) => {
  const { view } = open({ config, context })
  const resolved = resolveElevated(view.config, elevatedContext(view), { session })
  expect({ allowed: resolved.allowed, level: resolved.level }).toEqual({
    allowed: wanted.allowed,
    level: wanted.level,
  })
  expect(chooseHost(view, {}, resolved).host).toBe(wanted.host)
})

test.each(cases.filter(({ expect: { reply } }) => reply !== undefined))('$id says so: $title', (report) => {
  const { view } = open({ config: report.config, context: report.context })
  const reply = keptReply(readLevel(report.session) ?? 'off', elevatedEffect(view))
  expect(reply).toContain(report.expect.reply)
  expect(reply).not.toMatch(/runs on (?:this|the) (?:machine|host)/)
})

describe('who is there', () => {
  const { view } = open({ context: { sessionKey: 'agent:main:telegram:direct:1' } })

  test('the other side of a direct chat, unless the caller does not own the session', () => {
    expect(elevatedContext(view)).toEqual({ agentId: 'main', channel: 'telegram', sender: null, peer: '1' })
    const guest = open({
      context: { sessionKey: 'agent:main:telegram:direct:1', sender: { isOwner: false } },
    }).view
    expect(elevatedContext(guest).peer).toBeNull()
    const group = open({ context: { sessionKey: 'agent:main:telegram:group:1' } }).view
    expect(elevatedContext(group).peer).toBeNull()
  })

  test('nobody in a turn that another agent or a clock began', () => {
    expect(elevatedContext(view, { unattended: true, level: 'full' })).toEqual({
      agentId: 'main',
      channel: null,
      sender: null,
      peer: null,
    })
  })

  test('a client of the Gateway only where the session is of no channel', () => {
    const origin = { channel: 'webchat', sender: { id: 'control-ui' } }
    expect(elevatedContext(view, { origin }).channel).toBe('telegram')
    expect(elevatedContext(open({}).view, { origin })).toMatchObject(origin)
  })
})
