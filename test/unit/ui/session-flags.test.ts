import { describe, expect, test } from 'vitest'
import { OpenClawError } from '../../../src/kernel/errors.ts'
import { toSessionQuery } from '../../../src/ui/session-flags.ts'

type Flags = Parameters<typeof toSessionQuery>[0]

const none = {
  agent: undefined,
  session: undefined,
  provider: undefined,
  model: undefined,
  channel: undefined,
  account: undefined,
  sender: undefined,
  owner: undefined,
  group: undefined,
  thread: undefined,
  sandboxed: undefined,
  'spawned-by': undefined,
  'tools-allow': undefined,
  harness: undefined,
  context: undefined,
  inventory: undefined,
  set: undefined,
  unset: undefined,
  replay: undefined,
} as unknown as Flags

describe('toSessionQuery', () => {
  test('leaves out what was not given, so that an earlier source keeps its say', () => {
    expect(toSessionQuery(none)).toStrictEqual({
      request: {},
      contextFile: undefined,
      inventoryFile: undefined,
      replayFile: undefined,
      set: [],
      unset: [],
    })
  })

  test.each<[Partial<Flags>, object]>([
    [
      { agent: 'work', session: 'agent:work:main' },
      { agentId: 'work', sessionKey: 'agent:work:main' },
    ],
    [{ model: 'openai/gpt-5.5' }, { provider: 'openai', model: 'gpt-5.5' }],
    [{ model: 'gpt-5.5' }, { model: 'gpt-5.5' }],
    [
      { provider: 'openrouter', model: 'meta/llama' },
      { provider: 'openrouter', model: 'meta/llama' },
    ],
    [{ sender: 'id:100' }, { sender: { id: '100' } }],
    [
      { owner: false, sandboxed: true },
      { isOwner: false, sandboxed: true },
    ],
    [{ 'tools-allow': ['read,write', 'exec'] }, { toolsAllow: ['read', 'write', 'exec'] }],
    [{ 'tools-allow': [''] }, { toolsAllow: [] }],
  ])('%j', (flags, expected) => {
    expect(toSessionQuery({ ...none, ...flags }).request).toStrictEqual(expected)
  })

  test.each([
    ['tools.profile=coding', 'tools.profile', 'coding'],
    ['tools.deny=["exec", "a=b"]', 'tools.deny', '["exec", "a=b"]'],
    ['tools.deny[0]=exec', 'tools.deny[0]', 'exec'],
    ['tools.byProvider["a=b"].profile=full', 'tools.byProvider["a=b"].profile', 'full'],
    ["tools.byProvider['a]=b'].profile=full", "tools.byProvider['a]=b'].profile", 'full'],
    ['tools.byProvider["a\\"]=b"].profile=full', 'tools.byProvider["a\\"]=b"].profile', 'full'],
    ['a=', 'a', ''],
    ['a=line\nline', 'a', 'line\nline'],
  ])('--set %j', (text, path, value) => {
    expect(toSessionQuery({ ...none, set: [text] }).set).toEqual([{ path, value }])
  })

  test.each<Partial<Flags>>([
    { set: ['tools.profile'] },
    { set: ['=x'] },
    { sender: '100' },
    { sender: 'email:x' },
    { model: '' },
  ])('%j is a usage error', (flags) => {
    const attempt = () => toSessionQuery({ ...none, ...flags })
    expect(attempt).toThrow(expect.objectContaining({ code: 'USAGE', hints: [expect.any(String)] }))
    expect(attempt).toThrow(OpenClawError)
  })
})
