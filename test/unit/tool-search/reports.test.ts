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
    const facts = {
      first: model.hits[0]?.id,
      hits: model.hits.map(({ id }) => id),
      hiddenMatches: operator.hiddenMatches,
      note: operator.note?.code,
      modelNote: model.note?.code,
      off: view.toolSearch.enabled ? undefined : view.toolSearch.because,
    }
    // A report claims only some of the facts.
    const claimed = Object.entries(facts).filter(([name]) => Object.hasOwn(wanted, name))
    expect(wanted).toMatchObject(Object.fromEntries(claimed))
    const found = new Set(model.hits.map(({ name }) => name))
    expect((wanted.notHits ?? []).filter((name) => found.has(name))).toEqual([])
    for (const part of wanted.noteSays ?? []) expect(operator.note?.message).toContain(part)
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
  },
)
