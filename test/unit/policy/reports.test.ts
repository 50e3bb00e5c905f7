import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { explainTool, type ExplainResult } from '../../../src/policy/explain.ts'
import { lint } from '../../../src/policy/lint.ts'
import { projectRoot } from '../../helpers/project.ts'
import { locate, open, type Session } from './open.ts'

type ByTool<Value> = Readonly<Record<string, Value>>

/** What a public bug report asks for, in words of the contract. */
interface Report extends Session {
  readonly id: string
  readonly title: string
  readonly expect: {
    readonly visible?: readonly string[]
    readonly hidden?: readonly string[]
    readonly unavailable?: readonly string[]
    readonly steps?: ByTool<string>
    readonly alsoSteps?: ByTool<readonly string[]>
    readonly locations?: ByTool<string>
    /** Parts of what explain says in reasons and notes. */
    readonly says?: ByTool<readonly string[]>
    /** Path of an edit of the first fix. */
    readonly fixes?: ByTool<string>
    readonly commands?: ByTool<readonly string[]>
    readonly missing?: ByTool<readonly string[]>
    readonly notices?: readonly string[]
    readonly notNotices?: readonly string[]
    readonly noticeSays?: ByTool<readonly string[]>
    readonly inventoryNotices?: readonly string[]
  }
}

const file: { readonly cases: readonly Report[] } = JSON.parse(
  readFileSync(`${projectRoot}fixtures/reports.json`, 'utf8'),
)

function words({ decidedBy, alsoHiddenBy, notes }: ExplainResult): string {
  return [decidedBy?.reason, ...alsoHiddenBy.map(({ reason }) => reason), ...notes].join('\n')
}

test.each(file.cases.map((report) => [report.id, report.title, report] as const))(
  '%s: %s',
  (_, __, report) => {
    const { view, reopen } = open(report)
    const explain = (name: string): ExplainResult => explainTool(view, name, { reopen, locate })
    const wanted = report.expect
    const verdicts = (names: readonly string[] = []) => names.map((name) => [name, explain(name).verdict])
    const shown = (verdict: string | undefined): boolean => verdict === 'visible' || verdict === 'deferred'

    expect(verdicts(wanted.visible).filter(([, verdict]) => !shown(verdict))).toEqual([])
    expect(verdicts(wanted.hidden).filter(([, verdict]) => shown(verdict))).toEqual([])
    expect(verdicts(wanted.unavailable).filter(([, verdict]) => verdict !== 'unavailable')).toEqual([])

    for (const [name, step] of Object.entries(wanted.steps ?? {}))
      expect(explain(name).decidedBy?.step).toBe(step)
    for (const [name, steps] of Object.entries(wanted.alsoSteps ?? {})) {
      expect(explain(name).alsoHiddenBy.map(({ step }) => step)).toEqual(steps)
    }
    for (const [name, path] of Object.entries(wanted.locations ?? {})) {
      expect(explain(name).decidedBy?.location?.path).toBe(path)
    }
    for (const [name, parts] of Object.entries(wanted.says ?? {})) {
      for (const part of parts) expect(words(explain(name))).toContain(part)
    }
    for (const [name, path] of Object.entries(wanted.fixes ?? {})) {
      expect(explain(name).fixes[0]?.edits.map((edit) => edit.path)).toContain(path)
    }
    for (const [name, commands] of Object.entries(wanted.commands ?? {})) {
      expect(explain(name).fixes[0]?.commands).toEqual(commands)
    }
    for (const [name, fields] of Object.entries(wanted.missing ?? {}))
      expect(explain(name).missing).toEqual(fields)

    const notices = lint(view, locate)
    const ids = new Set(notices.map(({ id }) => id))
    expect((wanted.notices ?? []).filter((id) => !ids.has(id))).toEqual([])
    expect(notices.filter(({ id }) => wanted.notNotices?.includes(id))).toEqual([])
    for (const [id, parts] of Object.entries(wanted.noticeSays ?? {})) {
      const text = notices.flatMap((notice) => (notice.id === id ? [notice.message] : [])).join('\n')
      for (const part of parts) expect(text).toContain(part)
    }
    const told = new Set(view.inventory.notices.map(({ id }) => id))
    expect((wanted.inventoryNotices ?? []).filter((id) => !told.has(id))).toEqual([])
  },
)
