import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { projectRoot } from '../../helpers/project.ts'
import { open, type Session } from '../policy/open.ts'
import { searchOf } from './session-search.ts'

/** What a public report on searches asks for. */
interface Report extends Session {
  readonly id: string
  readonly title: string
  readonly query: string
  readonly expect: {
    readonly first?: string
    readonly hits?: readonly string[]
    readonly notHits?: readonly string[]
    readonly hiddenMatches?: readonly { readonly name: string; readonly step: string }[]
    readonly note?: string
    readonly noteSays?: readonly string[]
    readonly modelNote?: string
    readonly modelNoteLacks?: readonly string[]
    readonly direct?: readonly string[]
    readonly deferred?: readonly string[]
    readonly inventoryNotices?: readonly string[]
    /** Why Tool Search is off. */
    readonly off?: string
  }
}

const file: { readonly cases: readonly Report[] } = JSON.parse(
  readFileSync(`${projectRoot}fixtures/search-reports.json`, 'utf8'),
)

test.each(file.cases.map((report) => [report.id, report.title, report] as const))(
  '%s: %s',
  async (_, __, report) => {
    const { view } = open(report)
    const { model, operator } = await searchOf(view).search(report.query)
    const wanted = report.expect
    if (wanted.first !== undefined) expect(model.hits[0]?.id).toBe(wanted.first)
    if (wanted.hits !== undefined) expect(model.hits.map(({ id }) => id)).toEqual(wanted.hits)
    const names = new Set(model.hits.map(({ name }) => name))
    expect((wanted.notHits ?? []).filter((name) => names.has(name))).toEqual([])
    if (wanted.hiddenMatches !== undefined) expect(operator.hiddenMatches).toEqual(wanted.hiddenMatches)
    if (wanted.note !== undefined) expect(operator.note?.code).toBe(wanted.note)
    for (const part of wanted.noteSays ?? []) expect(operator.note?.message).toContain(part)
    if (wanted.modelNote !== undefined) expect(model.note?.code).toBe(wanted.modelNote)
    for (const part of wanted.modelNoteLacks ?? []) expect(model.note?.message ?? '').not.toContain(part)
    const exposures = (names: readonly string[] = []) =>
      names.map((name) => {
        const tool = view.inventory.tools.find((each) => each.name === name)
        return tool && view.exposure(tool)
      })
    expect(exposures(wanted.direct)).toEqual((wanted.direct ?? []).map(() => 'direct'))
    expect(exposures(wanted.deferred)).toEqual((wanted.deferred ?? []).map(() => 'deferred'))
    const told = new Set(view.inventory.notices.map(({ id }) => id))
    expect((wanted.inventoryNotices ?? []).filter((id) => !told.has(id))).toEqual([])
    if (wanted.off !== undefined)
      expect(view.toolSearch).toMatchObject({ enabled: false, because: wanted.off })
  },
)
