import { afterAll, describe, expect, test } from 'vitest'
import { openCodeExecution } from '../../../../src/tools/code/code-execution.ts'

const { tools, close } = openCodeExecution()
afterAll(() => close?.())

const running = { callId: 'c1', signal: new AbortController().signal, onUpdate: () => {} }

const run = (args: object) => tools['code_execution']!.run({ ...args }, running)

describe('code_execution', () => {
  test('computes, and returns the value with what was printed', async () => {
    const { result, failed } = await run({ code: 'console.log("so"); return [1, 2, 3].map((n) => n * n)' })
    expect(failed).toBe(false)
    expect(result).toMatchObject({ details: { ok: true, value: [1, 4, 9], logs: ['so'] } })
  })

  test('has no tools, files or network', async () => {
    const code =
      'return [typeof openclaw, typeof process, typeof require, typeof fetch, typeof setTimeout].join()'
    expect((await run({ code })).result).toMatchObject({
      details: { value: Array(5).fill('undefined').join() },
    })
  })

  test('says of a snippet that throws where it did', async () => {
    const { result, failed } = await run({ code: 'const a = 1\nthrow new Error("no")' })
    expect(failed).toBe(true)
    expect(result).toMatchObject({
      details: { ok: false, error: { code: 'thrown', message: 'no', line: 2, column: 7 } },
    })
  })

  test('stops a snippet that does not end', async () => {
    const { result, failed } = await run({ code: 'for (;;);', timeoutMs: 1000 })
    expect(failed).toBe(true)
    expect(result).toMatchObject({ details: { error: { code: 'timeout' } } })
  })
})
