import { writeFileSync } from 'node:fs'
import type { Document } from '../config/document.ts'
import { createEditor } from '../config/edit/editor.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { Expectation } from '../policy/test-file.ts'

/** New claims for one case of a policy test file. */
export interface Rewrite {
  readonly index: number
  readonly expect: Expectation
}

/** Rewrites only what is claimed otherwise now, so that comments and layout stay; INPUT_INVALID where the file cannot be written. */
export function updateTestFile(document: Document, rewrites: readonly Rewrite[]): void {
  const root = document.root()
  if (!root) return
  const editor = createEditor(document.text, root, { json: document.file.endsWith('.json') })
  for (const { index, expect } of rewrites) editor.set(['cases', index, 'expect'], expect)
  try {
    writeFileSync(document.file, editor.text())
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OpenClawError('INPUT_INVALID', `cannot update ${document.file}: ${reason}`, { cause: error })
  }
}
