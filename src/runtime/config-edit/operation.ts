import type { Step } from '../../config/path-syntax.ts'

/** A value as somebody gave it: text from a command line, or data. */
export type Given = { readonly text: string; readonly strict: boolean } | { readonly value: unknown }

/** What a value must be now for an edit to be made. */
export type Expectation = { readonly absent: true } | { readonly absent: false; readonly value: unknown }

/** One edit of the merged config; paths may select list entries by a field. */
export type Operation =
  | {
      readonly op: 'set'
      readonly steps: readonly Step[]
      readonly given: Given
      readonly expect?: Expectation | undefined
    }
  | { readonly op: 'append' | 'remove'; readonly steps: readonly Step[]; readonly given: Given }
  | { readonly op: 'unset'; readonly steps: readonly Step[] }
  | { readonly op: 'merge'; readonly patch: unknown; readonly byId: boolean }
