import type { ToolFamily } from './family.ts'

/** Every family of built-in tools. */
export const families: readonly ToolFamily[] = []
