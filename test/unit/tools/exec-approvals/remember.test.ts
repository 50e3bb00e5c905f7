import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { approvalDesk } from '../../../../src/calls/approvals/desk.ts'
import { ApprovalStore } from '../../../../src/calls/approvals/store.ts'
import type { ApprovalQuestion, WantedApproval } from '../../../../src/calls/approvals/types.ts'
import { keepAnswer, settle } from '../../../../src/runtime/lasting-answers.ts'
import { forgetCommands, rememberCommands } from '../../../../src/tools/exec-approvals/remember.ts'
import { readRemembered, type RememberedCommands } from '../../../../src/tools/exec-approvals/remembered.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

const commands = (pattern: string, agentId = 'main'): RememberedCommands => ({
  kind: 'exec-allowlist',
  agentId,
  entries: [{ pattern }],
  command: pattern,
})

const fileIn = (stateDir: string): string => join(stateDir, 'exec-approvals.json')
const read = (stateDir: string): unknown => JSON.parse(readFileSync(fileIn(stateDir), 'utf8'))

describe('the file', () => {
  test('is made for its owner, in a directory that may not exist', async () => {
    const stateDir = join(await tempDir(), 'state')
    await rememberCommands(stateDir, commands('/bin/x'), 'a1', 5)
    expect(read(stateDir)).toEqual({
      version: 1,
      agents: {
        main: {
          allowlist: [
            {
              id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
              pattern: '/bin/x',
              source: 'allow-always',
              approvalId: 'a1',
              commandText: '/bin/x',
              addedAt: 5,
            },
          ],
        },
      },
    })
    expect(readdirSync(stateDir)).toEqual(['exec-approvals.json'])
  })

  test.each([
    '{ "agents": [] }',
    '{ "agents": { "main": 7 } }',
    '{ "agents": { "main": { "allowlist": "ls" } } }',
  ])('is not written over where it is not understood: %s', async (text) => {
    const stateDir = await tempDir({ 'exec-approvals.json': text })
    await expect(rememberCommands(stateDir, commands('/bin/x'), 'a1', 5)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
    expect(readFileSync(fileIn(stateDir), 'utf8')).toBe(text)
  })

  test('keeps everything else that is in it', async () => {
    const before = {
      version: 1,
      socket: { path: '/x' },
      defaults: { ask: 'always' },
      agents: {
        MAIN: { note: 1, allowlist: [{ pattern: 'git', lastUsedAt: 3 }] },
        '*': { allowlist: ['ls'] },
      },
    }
    const stateDir = await tempDir({ 'exec-approvals.json': JSON.stringify(before) })
    await rememberCommands(stateDir, commands('/bin/x'), 'a1', 5)
    expect(read(stateDir)).toMatchObject({
      ...before,
      agents: {
        ...before.agents,
        MAIN: { note: 1, allowlist: [{ pattern: 'git', lastUsedAt: 3 }, { pattern: '/bin/x' }] },
      },
    })
  })

  test('that a person wrote keeps comments, quotes and order', async () => {
    const before = `{
  // only what I know
  defaults: { security: 'allowlist', ask: 'on-miss' },
  agents: {
    main: { allowlist: [{ pattern: 'git' } /* of course */] },
  },
}
`
    const stateDir = await tempDir({ 'exec-approvals.json': before })
    await rememberCommands(stateDir, commands('/bin/x'), 'a1', 5)
    const after = readFileSync(fileIn(stateDir), 'utf8')
    expect(after).toContain("  // only what I know\n  defaults: { security: 'allowlist', ask: 'on-miss' },\n")
    expect(after).toContain('/* of course */')
    expect(after).toContain("pattern: '/bin/x'")
    expect(await forgetCommands(stateDir, 'a1')).toBe(true)
    expect(readFileSync(fileIn(stateDir), 'utf8')).not.toContain('/bin/x')
    await rememberCommands(stateDir, commands('/bin/y'), 'a2', 5)
    expect(readFileSync(fileIn(stateDir), 'utf8')).toContain('/* of course */')
  })

  test('gets no entry twice, and loses only what an answer has added', async () => {
    const stateDir = await tempDir({
      'exec-approvals.json': JSON.stringify({ agents: { main: { allowlist: [{ pattern: '/bin/own' }] } } }),
    })
    for (const id of ['a1', 'a2']) await rememberCommands(stateDir, commands('/bin/x'), id, 5)
    await rememberCommands(stateDir, commands('/bin/own'), 'a1', 5)
    expect(read(stateDir)).toMatchObject({
      agents: { main: { allowlist: [{ pattern: '/bin/own' }, { pattern: '/bin/x', approvalId: 'a1' }] } },
    })
    expect(await forgetCommands(stateDir, 'a2')).toBe(false)
    expect(await forgetCommands(stateDir, 'a1')).toBe(true)
    expect(read(stateDir)).toMatchObject({ agents: { main: { allowlist: [{ pattern: '/bin/own' }] } } })
  })

  test('takes answers that come at the same time, each of them', async () => {
    const stateDir = await tempDir()
    const names = Array.from({ length: 12 }, (_, at) => `/bin/x${at}`)
    await Promise.all(names.map((name) => rememberCommands(stateDir, commands(name), name, 1)))
    const { agents } = read(stateDir) as { agents: { main: { allowlist: { pattern: string }[] } } }
    expect(agents.main.allowlist.map(({ pattern }) => pattern).toSorted()).toEqual(names.toSorted())
  })

  test.each([
    ['damaged', '{', 0o600, 'it is no JSON5: line 1, column 2'],
    ['read-only', '{}', 0o444, 'is read-only'],
  ])('that is %s stays as it is', async (_what, text, mode, message) => {
    const stateDir = await tempDir({ 'exec-approvals.json': text })
    chmodSync(fileIn(stateDir), mode)
    await expect(rememberCommands(stateDir, commands('/bin/x'), 'a1', 1)).rejects.toThrow(message)
    expect(readFileSync(fileIn(stateDir), 'utf8')).toBe(text)
  })

  test('takes an agent of any name', async () => {
    const stateDir = await tempDir()
    await rememberCommands(stateDir, commands('/bin/x', '__proto__'), 'a1', 1)
    expect(({} as { allowlist?: unknown }).allowlist).toBeUndefined()
    expect(readFileSync(fileIn(stateDir), 'utf8')).toContain('"__proto__"')
  })
})

test.each([
  null,
  {},
  { kind: 'other' },
  { kind: 'exec-allowlist', agentId: 'a', entries: [{}] },
  { kind: 'exec-allowlist', agentId: 'a', entries: [{ pattern: 'x', argPattern: 1 }] },
])('nothing is made of what is damaged: %j', (value) => {
  expect(readRemembered(value)).toBeNull()
})

describe('questions whose lasting yes is kept elsewhere', () => {
  const wanted = (more: Partial<WantedApproval> = {}): WantedApproval => ({
    pluginId: 'exec-approvals',
    title: 'Run x',
    description: '',
    severity: 'warning',
    timeoutMs: null,
    timeoutBehavior: 'deny',
    remember: { ...commands('/bin/x') },
    ...more,
  })
  const question = (all: readonly WantedApproval[] = [wanted()]): ApprovalQuestion => ({
    tool: { id: 'openclaw:core:exec', name: 'exec', source: 'openclaw' },
    args: { command: 'x' },
    agentId: 'main',
    sessionKey: 'agent:main:main',
    wanted: all,
    schema: undefined,
  })
  const live = new AbortController().signal

  async function open() {
    const stateDir = await tempDir()
    const store = new ApprovalStore(stateDir, Date.now)
    return { stateDir, store, desk: approvalDesk({ store }) }
  }

  test('a yes for always lets the waiting call run once, and is told for what it is', async () => {
    const { store, desk } = await open()
    const { id } = store.ask(question())
    expect(store.decide(id, 'allow-always')).toMatchObject({ id, state: 'always', expiresAt: null })
    expect(await desk.decide(question(), live)).toEqual({ verdict: 'allowed' })
    expect(await desk.decide(question(), live)).toMatchObject({ verdict: 'pending' })
    expect(store.list().map(({ state }) => state)).toEqual(['always', 'pending'])
    expect(store.decide(id, 'deny').state).toBe('denied')
    expect(store.list().map(({ state }) => state)).toEqual(['pending'])
  })

  test('a person at a terminal has it kept at once', async () => {
    const { stateDir, store } = await open()
    const desk = approvalDesk({
      store,
      prompt: async () => 'allow-always',
      keep: (approval) => keepAnswer(stateDir, approval, 7),
    })
    expect(await desk.decide(question(), live)).toEqual({ verdict: 'allowed' })
    expect(read(stateDir)).toMatchObject({
      agents: { main: { allowlist: [{ pattern: '/bin/x', addedAt: 7 }] } },
    })
    expect(await approvalDesk({ store }).decide(question(), live)).toMatchObject({ verdict: 'pending' })
  })

  test('together with others it is a yes to the same call, and nothing is kept', async () => {
    const { stateDir, store, desk } = await open()
    const { remember, ...plugin } = wanted({ pluginId: 'kit' })
    expect(remember).toBeDefined()
    const mixed = question([wanted(), plugin])
    await keepAnswer(stateDir, store.decide(store.ask(mixed).id, 'allow-always'), 1)
    expect(existsSync(fileIn(stateDir))).toBe(false)
    expect(await desk.decide(mixed, live)).toEqual({ verdict: 'allowed' })
    expect(await desk.decide(mixed, live)).toEqual({ verdict: 'allowed' })
  })

  test('what is asked every time takes no yes for always, not even an earlier one', async () => {
    const { store, desk } = await open()
    const { remember: _, ...plain } = wanted()
    store.decide(store.ask(question([plain])).id, 'allow-always')
    expect(await desk.decide(question([plain]), live)).toEqual({ verdict: 'allowed' })
    const each = question([{ ...plain, lasting: false }])
    const asked = await desk.decide(each, live)
    expect(asked).toMatchObject({ verdict: 'pending' })
    const id = asked.verdict === 'pending' ? asked.id : ''
    expect(() => store.decide(id, 'allow-always')).toThrow('can only be allowed once')
    expect(store.decide(id, 'allow-once').state).toBe('allowed')
    const typed = approvalDesk({ store, prompt: async () => 'allow-always' })
    await desk.decide(each, live)
    expect(await typed.decide(each, live)).toEqual({ verdict: 'allowed' })
    expect(await desk.decide(each, live)).toMatchObject({ verdict: 'pending' })
  })

  test('answers of an older program are read as they were meant', async () => {
    const { stateDir, store } = await open()
    mkdirSync(join(stateDir, 'approvals'), { recursive: true })
    const { id } = store.ask(question())
    const file = join(stateDir, 'approvals', `${id}.json`)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('"kind":"exec-allowlist"', '"kind":"unknown"'))
    await keepAnswer(stateDir, store.decide(id, 'allow-always'), 1)
    expect(existsSync(fileIn(stateDir))).toBe(false)
  })
})

describe('an answer whose meaning cannot be kept', () => {
  const wanted: WantedApproval = {
    pluginId: 'exec-approvals',
    title: 'Run x',
    description: '',
    severity: 'warning',
    timeoutMs: null,
    timeoutBehavior: 'deny',
    remember: { ...commands('/bin/x') },
  }
  const asked: ApprovalQuestion = {
    tool: { id: 'openclaw:core:exec', name: 'exec', source: 'openclaw' },
    args: { command: 'x' },
    agentId: 'main',
    sessionKey: 'agent:main:main',
    wanted: [wanted],
    schema: { type: 'object' },
  }
  const allowlist = (stateDir: string): string => readFileSync(fileIn(stateDir), 'utf8')

  test('is none, and can be given again', async () => {
    const stateDir = await tempDir({ 'exec-approvals.json': '{' })
    const store = new ApprovalStore(stateDir, Date.now)
    const { id } = store.ask(asked)
    const answer = { id, answer: 'allow-always' } as const
    await expect(settle(store, stateDir, answer, 1)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(store.list()).toMatchObject([{ id, state: 'pending' }])
    writeFileSync(fileIn(stateDir), '{}')
    expect(await settle(store, stateDir, answer, 1)).toMatchObject({ id, state: 'always' })
    expect(allowlist(stateDir)).toContain('/bin/x')
  })

  test('does not lose the yes that it should take back', async () => {
    const stateDir = await tempDir()
    const store = new ApprovalStore(stateDir, Date.now)
    const { id } = store.ask(asked)
    await settle(store, stateDir, { id, answer: 'allow-always' }, 1)
    const kept = allowlist(stateDir)
    writeFileSync(fileIn(stateDir), '{')
    const deny = { id, answer: 'deny' } as const
    await expect(settle(store, stateDir, deny, 1)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(store.list()).toMatchObject([{ id, state: 'always' }])
    writeFileSync(fileIn(stateDir), kept)
    expect(await settle(store, stateDir, deny, 1)).toMatchObject({ id, state: 'denied' })
    expect(allowlist(stateDir)).not.toContain('/bin/x')
    expect(store.list()).toEqual([])
  })

  test('that a person typed is not listed as one that stays', async () => {
    const stateDir = await tempDir({ 'exec-approvals.json': '{' })
    const store = new ApprovalStore(stateDir, Date.now)
    const desk = approvalDesk({
      store,
      prompt: async () => 'allow-always',
      keep: (approval) => keepAnswer(stateDir, approval, 1),
    })
    const { signal } = new AbortController()
    await expect(desk.decide(asked, signal)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(store.list()).toEqual([])
  })
})
