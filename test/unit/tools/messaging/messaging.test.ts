import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Channel, ChannelAction, ChannelMessage } from '../../../../src/plugins/authoring.ts'
import { openMessaging } from '../../../../src/tools/messaging/messaging.ts'
import { messagingNeeds } from '../../../../src/tools/messaging/needs.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'
import type { Session } from '../../policy/open.ts'

/** A channel of a plugin that keeps what it is given. */
function chat(id = 'chat') {
  const sent: ChannelMessage[] = []
  const acted: ChannelAction[] = []
  const channel: Channel = {
    id,
    actions: ['react'],
    send: async (message) => {
      if (message.to === 'broken') throw new Error('nobody lives there')
      sent.push(message)
      return { messageId: `m${sent.length}` }
    },
    act: async (action) => {
      acted.push(action)
      return { done: true }
    },
    list: async () => [{ to: 'bob', name: 'Bob' }],
  }
  return { channel, sent, acted }
}

async function messaging(session: Session, channels: readonly Channel[] = []) {
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const options = await familyOptions(session, { services: { channels: byId } })
  const family = openMessaging(options)
  return {
    options,
    message: (args: Record<string, unknown>) => callTool(family, 'message', args),
    call: (name: string, args: Record<string, unknown>) => callTool(family, name, args),
    lines: (file = 'outbox/messages.ndjson') =>
      readFileSync(join(options.stateDir, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): unknown => JSON.parse(line)),
  }
}

const withOutbox = { channels: { outbox: {} } }

describe('message over the outbox', () => {
  test('says why it could not be written or read', async () => {
    const { message, options } = await messaging({
      config: { channels: { outbox: { file: 'full.ndjson' } } },
    })
    const file = join(options.stateDir, 'full.ndjson')
    symlinkSync('/dev/full', file)
    const problem = `cannot write ${file}: no space is left on the device (ENOSPC)`
    await expect(message({ message: 'Hello' })).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      message: problem,
    })
    rmSync(file)
    mkdirSync(file)
    await expect(message({ action: 'read', target: 'a' })).rejects.toMatchObject({ code: 'TOOL_FAILED' })
  })

  test('appends a line a message, and reads them back', async () => {
    const { message, lines } = await messaging({ config: withOutbox })
    const { details } = await message({ message: 'Hello', target: 'room1', replyTo: 'm0' })
    expect(details).toMatchObject({ channel: 'outbox', to: 'room1', crossContext: false })
    await message({ message: 'Again' })
    expect(lines()).toMatchObject([
      { to: 'room1', text: 'Hello', replyTo: 'm0', agentId: 'main', sessionKey: 'agent:main:main' },
      { to: 'default', text: 'Again' },
    ])
    expect((await message({ action: 'read', target: 'room1' })).details).toMatchObject({
      result: { total: 1, messages: [{ text: 'Hello' }] },
    })
  })

  test('ends a line that was cut short before the next one', async () => {
    const { message, options, lines } = await messaging({ config: withOutbox })
    await message({ message: 'one' })
    const file = join(options.stateDir, 'outbox/messages.ndjson')
    appendFileSync(file, '{"id":"half')
    await message({ message: 'two' })
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4)
    expect(() => lines()).toThrow('JSON')
    expect((await message({ action: 'read' })).details).toMatchObject({ result: { total: 2 } })
  })

  test('begins a new file when one has grown large, and keeps the last', async () => {
    const { message, lines } = await messaging({ config: { channels: { outbox: { maxFileBytes: 1024 } } } })
    for (let at = 0; at < 4; at += 1) await message({ message: `${at} ${'x'.repeat(300)}` })
    expect(lines().length + lines('outbox/messages.ndjson.1').length).toBe(4)
  })

  test('says what keeps it from beginning a new one, and keeps the last as it is', async () => {
    const { message, lines, options } = await messaging({
      config: { channels: { outbox: { maxFileBytes: 1024 } } },
    })
    mkdirSync(join(options.stateDir, 'outbox/messages.ndjson.1/full'), { recursive: true })
    await message({ message: 'x'.repeat(800) })
    const refused = await failure(message({ message: 'y'.repeat(800) }))
    expect(refused.message).toContain('messages.ndjson.1')
    expect(lines()).toHaveLength(1)
  })

  test('has accounts with files of their own', async () => {
    const accounts = { work: { file: 'work.ndjson' }, off: { enabled: false } }
    const { message, lines } = await messaging({ config: { channels: { outbox: { accounts } } } })
    await message({ message: 'hi', accountId: 'work' })
    expect(lines('work.ndjson')).toHaveLength(1)
    expect((await failure(message({ message: 'hi', accountId: 'off' }))).message).toContain('switched off')
    expect(await failure(message({ message: 'hi', accountId: 'none' }))).toMatchObject({
      code: 'INPUT_INVALID',
    })
  })

  test('says where a message would go, and sends nothing', async () => {
    const { message, options } = await messaging({ config: withOutbox })
    expect((await message({ message: 'x', target: 'outbox:r', dryRun: true })).details).toMatchObject({
      dryRun: true,
      channel: 'outbox',
      to: 'r',
    })
    expect(existsSync(join(options.stateDir, 'outbox'))).toBe(false)
  })
})

describe('where a message goes', () => {
  test('to the conversation of the session, unless it says otherwise', async () => {
    const { channel, sent } = chat()
    const session = { config: withOutbox, context: { sessionKey: 'agent:main:chat:group:g1' } }
    const { message } = await messaging(session, [channel])
    await message({ message: 'here' })
    expect(sent[0]).toMatchObject({ to: 'g1', text: 'here' })
    await message({ message: 'there', target: 'g2' })
    expect(sent[1]).toMatchObject({ to: 'g2', text: '[from chat] there' })
  })

  test('not to other channels unless that is allowed', async () => {
    const { channel } = chat()
    const context = { sessionKey: 'agent:main:chat:direct:bob' }
    const { message } = await messaging({ config: withOutbox, context }, [channel])
    const error = await failure(message({ message: 'x', channel: 'outbox' }))
    expect(error).toMatchObject({
      code: 'TOOL_DENIED',
      data: { path: 'tools.message.crossContext.allowAcrossProviders' },
    })
    const tools = { message: { crossContext: { allowAcrossProviders: true, marker: { enabled: false } } } }
    const free = await messaging({ config: { ...withOutbox, tools }, context }, [channel])
    await free.message({ message: 'x', channel: 'outbox' })
    expect(free.lines()).toMatchObject([{ text: 'x' }])
    const old = { message: { allowCrossContextSend: true } }
    const lax = await messaging({ config: { ...withOutbox, tools: old }, context }, [channel])
    await lax.message({ message: 'x', channel: 'outbox' })
    expect(lax.lines()).toMatchObject([{ text: '[from chat] x' }])
  })

  test('not to other conversations where the config keeps it in its own; an agent can differ', async () => {
    const { channel, sent } = chat()
    const strict = { message: { crossContext: { allowWithinProvider: false } } }
    const context = { sessionKey: 'agent:main:chat:direct:bob' }
    const { message } = await messaging({ config: { tools: strict }, context }, [channel])
    expect(await failure(message({ message: 'x', target: 'eve' }))).toMatchObject({ code: 'TOOL_DENIED' })
    await message({ message: 'x', target: 'bob' })
    expect(sent).toHaveLength(1)
    const lax = { message: { crossContext: { allowWithinProvider: true } } }
    const config = { tools: strict, agents: { list: [{ id: 'main', tools: lax }] } }
    await (await messaging({ config, context }, [channel])).message({ message: 'x', target: 'eve' })
    expect(sent).toHaveLength(2)
  })

  test('is asked for where there are several channels, or the one of the session is not here', async () => {
    const { channel } = chat()
    const { message } = await messaging({ config: withOutbox }, [channel])
    expect(await failure(message({ message: 'x' }))).toMatchObject({
      code: 'INPUT_INVALID',
      data: { channels: ['outbox', 'chat'] },
    })
    expect((await failure(message({ message: 'x', channel: 'outbx' }))).hints).toEqual(['channel: outbox'])
    const away = { config: withOutbox, context: { sessionKey: 'agent:main:discord:group:g' } }
    expect((await failure((await messaging(away)).message({ message: 'x' }))).message).toContain('discord')
  })
})

describe('actions', () => {
  test('are those of the channel', async () => {
    const { channel, acted } = chat()
    const { message } = await messaging({}, [channel])
    await message({ action: 'react', target: 'bob', messageId: 'm1', emoji: '+1' })
    expect(acted).toEqual([
      {
        action: 'react',
        to: 'bob',
        accountId: null,
        threadId: null,
        params: { messageId: 'm1', emoji: '+1' },
      },
    ])
    expect(await failure(message({ action: 'pin', messageId: 'm1' }))).toMatchObject({
      code: 'INPUT_INVALID',
      hints: ['action: send', 'action: react'],
    })
    expect((await message({ action: 'list' })).details).toMatchObject({
      own: { channel: null },
      channels: [{ id: 'chat', actions: ['send', 'react'], answers: false }],
    })
  })

  test('are those that the config allows', async () => {
    const { channel } = chat()
    const config = { tools: { message: { actions: { allow: ['react'] } } } }
    const { message } = await messaging({ config }, [channel])
    await message({ action: 'react', target: 'bob' })
    expect(await failure(message({ message: 'x' }))).toMatchObject({
      code: 'TOOL_DENIED',
      data: { path: 'tools.message.actions.allow' },
    })
  })

  test('broadcast says for each place what became of it', async () => {
    const { channel, sent } = chat()
    const { message } = await messaging({ config: withOutbox }, [channel])
    const { details, failed } = await message({
      action: 'broadcast',
      targets: ['chat:bob', 'chat:broken', 'outbox:r'],
      message: 'hi',
    })
    expect(details).toMatchObject({
      sent: 2,
      failed: 1,
      results: [{ to: 'bob' }, { target: 'chat:broken', error: 'nobody lives there' }, { channel: 'outbox' }],
    })
    expect(failed).toBe(false)
    expect((await message({ action: 'broadcast', targets: ['chat:broken'], message: 'x' })).failed).toBe(true)
    expect(await failure(message({ action: 'broadcast', message: 'x' }))).toMatchObject({
      code: 'INPUT_INVALID',
    })
    // One place that cannot be: nothing leaves.
    expect(
      await failure(message({ action: 'broadcast', targets: ['chat:a', 'nowhere'], message: 'x' })),
    ).toMatchObject({
      code: 'INPUT_INVALID',
    })
    expect(sent).toHaveLength(1)
    const config = { tools: { message: { broadcast: { enabled: false } } } }
    const off = await messaging({ config }, [channel])
    expect(await failure(off.message({ action: 'broadcast', targets: ['a'], message: 'x' }))).toMatchObject({
      code: 'TOOL_DENIED',
    })
  })
})

describe('conversations', () => {
  test('are those that channels know and the config names', async () => {
    const { channel, sent } = chat()
    const config = { channels: { chat: { groups: { g1: {}, '*': {} } }, outbox: {} } }
    const { call } = await messaging({ config, edition: '2026.9' }, [channel])
    await call('conversations_send', { conversation: 'outbox:room', message: 'hi' })
    const { details } = await call('conversations_list', {})
    expect(details).toMatchObject({
      total: 3,
      conversations: [
        { conversation: 'outbox:room' },
        { conversation: 'chat:bob', name: 'Bob' },
        { conversation: 'chat:g1' },
      ],
    })
    await call('conversations_send', { conversation: 'chat:bob', message: 'hi' })
    expect(sent).toMatchObject([{ to: 'bob', text: 'hi' }])
    expect(
      await failure(call('conversations_turn', { conversation: 'chat:bob', message: 'hi' })),
    ).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
    })
  })
})

describe('without any channel', () => {
  test('the tool says what it needs, before and when it is called', async () => {
    const { message, options } = await messaging({})
    const facts = { view: options.view(), env: {}, stateDir: '/', hasProgram: () => false, services: null }
    expect(messagingNeeds['message']?.(facts)?.needs).toContain('channels.outbox')
    expect(await failure(message({ message: 'x' }))).toMatchObject({ code: 'TOOL_UNAVAILABLE' })
    const off = await messaging({ config: { channels: { outbox: { enabled: false } } } })
    expect(await failure(off.message({ message: 'x' }))).toMatchObject({ code: 'TOOL_UNAVAILABLE' })
    const on = (await messaging({ config: withOutbox })).options.view()
    expect(messagingNeeds['message']?.({ ...facts, view: on })).toBeNull()
  })
})
