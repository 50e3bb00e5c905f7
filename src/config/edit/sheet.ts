import type { ArrayNode, ObjectNode } from '../scan.ts'
import type { Style } from './style.ts'

/** One replaced range of a text; `start === end` inserts. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A text that is being changed, with the changes so far. */
export interface Sheet {
  readonly text: string
  readonly style: Style
  readonly splices: Splice[]
}

export type Container = ObjectNode | ArrayNode

/** An entry of the container as it is to be: its place among the old ones, or its text. */
export type Entry =
  | { readonly source: number; readonly write: null }
  | { readonly source: null; readonly write: (indent: string) => string }

/** Takes a range out. */
export function cut(sheet: Sheet, start: number, end: number): void {
  if (end > start) sheet.splices.push({ start, end, text: '' })
}

/** Puts a text in. */
export function put(sheet: Sheet, at: number, text: string): void {
  sheet.splices.push({ start: at, end: at, text })
}
