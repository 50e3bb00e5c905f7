import { scanDocument, type Document } from '../../config/document.ts'
import { loadConfig, type LoadedConfig, type LoadOptions } from '../../config/load.ts'
import { parseDocument } from '../../config/read.ts'
import type { FileChange } from '../../config/write/commit.ts'
import { changesBetween } from './changes.ts'
import type { Edited } from './workspace.ts'

/** The edit that gives files whole new texts. Errors: CONFIG_INVALID for a text that cannot be read, INCLUDE_INVALID. */
export async function replaceTexts(
  before: LoadedConfig,
  files: readonly FileChange[],
  options: LoadOptions,
): Promise<Edited> {
  const documents = new Map<string, Document>()
  // A config that is removed reads like an empty one.
  for (const { file, after } of files) {
    const text = after ?? '{}'
    documents.set(file, scanDocument(file, text) ?? (await parseDocument(file, text)).document)
  }
  const after = await loadConfig({ ...options, documents })
  const changes = changesBetween(before.authored, after.authored)
  const written = changes.flatMap((change) => (change.after === undefined ? [] : [change.path]))
  return { before, after, changes, written, files, notices: [], textProblem: null }
}
