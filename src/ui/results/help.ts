import { Type } from 'typebox'
import type { HelpPage } from '../help-pages.ts'
import { open, text, type Promised } from './kit.ts'

/** `help PAGE --json`. */
export const page = open({
  page: text,
  title: text,
  intro: text,
  entries: Type.Array(open({ name: text, text })),
})

type Holds<_Result extends Wanted, Wanted> = true
export type HelpResultsHold = [Holds<HelpPage, Promised<typeof page>>]
