import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CommandVerdict } from '../../../../src/tools/exec-approvals/gate.ts'
import { rememberCommands } from '../../../../src/tools/exec-approvals/remember.ts'
import { readRemembered } from '../../../../src/tools/exec-approvals/remembered.ts'
import { gateHome, type GateHome } from '../../../helpers/command-gate.ts'
import { projectRoot } from '../../../helpers/project.ts'

interface Step {
  readonly command: string
  readonly expect: CommandVerdict['verdict']
  readonly answer?: 'allow-always'
  readonly stored?: readonly string[]
  readonly silence?: 'deny'
  readonly layer?: string
  readonly says?: string
}

interface Report {
  readonly report: string
  readonly title: string
  readonly config?: object
  readonly approvals?: object
  readonly steps: readonly Step[]
}

const file = join(projectRoot, 'fixtures/exec-approvals/reports.json')
const reports = JSON.parse(readFileSync(file, 'utf8')) as readonly Report[]

async function answer(verdict: CommandVerdict, { stored }: Step, home: GateHome): Promise<void> {
  const remembered = verdict.verdict === 'ask' ? readRemembered(verdict.wanted.remember) : null
  if (remembered === null) throw new Error('nothing to remember')
  const patterns = stored?.map((pattern) => pattern.replaceAll('{bin}', home.bin))
  expect(remembered.entries.map(({ pattern }) => pattern)).toEqual(patterns)
  await rememberCommands(home.stateDir, remembered, 'abcd0123', 1)
}

function expectLayer({ layer, reason }: Extract<CommandVerdict, { verdict: 'deny' }>, step: Step): void {
  expect(layer).toBe(step.layer)
  expect(reason).toContain(step.says)
}

/** Without an approver a question is a no. */
function expectSilence({ wanted }: Extract<CommandVerdict, { verdict: 'ask' }>, { silence }: Step): void {
  expect(wanted.timeoutBehavior).toBe(silence ?? 'deny')
}

describe('public reports', () => {
  test.each(reports)('$report: $title', async ({ config = {}, approvals, steps }) => {
    const home = await gateHome({ session: { config }, approvals })
    for (const step of steps) {
      const verdict = await home.judge(step.command)
      expect({ command: step.command, verdict: verdict.verdict }).toEqual({
        command: step.command,
        verdict: step.expect,
      })
      if (verdict.verdict === 'deny' && step.layer !== undefined) expectLayer(verdict, step)
      if (verdict.verdict === 'ask') expectSilence(verdict, step)
      if (step.answer !== undefined) await answer(verdict, step, home)
    }
  })
})
