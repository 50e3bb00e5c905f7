import { extname } from 'node:path'
import type { EditionId } from '../../catalog/edition.ts'
import { createDocument, type Document } from '../../config/document.ts'
import { createEditor, type Editor } from '../../config/edit/editor.ts'
import type { FileEdit, Routable } from '../../config/edit/route.ts'
import { directiveKey, maxFileBytes } from '../../config/includes.ts'
import { loadConfig, type LoadedConfig, type LoadOptions } from '../../config/load.ts'
import { isRecord } from '../../config/path-value.ts'
import { maxRootBytes } from '../../config/read.ts'
import { nodeHasValue } from '../../config/same-value.ts'
import { scan } from '../../config/scan.ts'
import type { FileChange } from '../../config/write/commit.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Notice, type Path } from '../../kernel/path.ts'
import type { Change } from './changes.ts'

/** What operations have made of a config that nobody has written yet. */
export interface Edited {
  readonly before: LoadedConfig
  readonly after: LoadedConfig
  readonly changes: readonly Change[]
  /** Paths that were given a value. */
  readonly written: readonly Path[]
  readonly files: readonly FileChange[]
  readonly notices: readonly Notice[]
  /** Why a value on the command line that looks like JSON5 was taken as text, or null. */
  readonly textProblem: string | null
}

/** A loaded config that is edited in memory, file by file. */
export interface Workspace {
  readonly edition: EditionId
  /** The config as last loaded, and its merged value with all edits so far, `${VAR}` as written. */
  current(): LoadedConfig
  authored(): unknown
  routable(): Routable
  edit(edits: readonly FileEdit[], path: Path): Promise<void>
  /** Loads the config anew as it would be with the edits so far, where their effect depends on more than one text. */
  settle(always?: boolean): Promise<void>
  record(change: Change, ...written: readonly Path[]): void
  note(id: string, message: string): void
  tookAsText(problem: string): void
  finish(): Promise<Edited>
}

/** Whether a value includes files. */
export function holdsDirective(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsDirective)
  if (!isRecord(value)) return false
  return Object.hasOwn(value, directiveKey) || Object.values(value).some(holdsDirective)
}

/** The text of an edited document, read again: what is written is never taken on trust. */
function finishDocument(file: string, editor: Editor, limit: number): Document {
  const text = editor.text()
  const scanned = scan(text)
  if (scanned.problem?.expected.includes('nesting') === true) {
    throw new OpenClawError('INPUT_INVALID', `${file} would be nested too deeply; nothing was written`, {
      hints: [`a config has ${scanned.problem.expected}`],
    })
  }
  const value = editor.value()
  if (scanned.problem !== null || !nodeHasValue(scanned.root, value)) {
    throw new OpenClawError(
      'INTERNAL',
      `the edited text of ${file} does not say what was asked for; nothing was written`,
    )
  }
  if (Buffer.byteLength(text) > limit) {
    throw new OpenClawError(
      'INPUT_INVALID',
      `${file} would be larger than ${limit} bytes; nothing was written`,
      {
        hints: ['move a part of it to a file of its own and $include that'],
      },
    )
  }
  return createDocument(file, text, value, scanned)
}

/** Starts editing a loaded config. */
export function openWorkspace(before: LoadedConfig, options: LoadOptions, edition: EditionId): Workspace {
  let current = before
  let { authored } = before
  let textProblem: string | null = null
  const editors = new Map<string, Editor>()
  const overlay = new Map<string, Document>()
  const changes: Change[] = []
  const written: Path[] = []
  const notices = new Map<string, Notice>()

  const note = (id: string, message: string): void => {
    notices.set(`${id} ${message}`, { id, severity: 'info', message, location: null })
  }

  const editorOf = (file: string): Editor => {
    const known = editors.get(file)
    if (known) return known
    const { document } = current
    const opened =
      (file === before.file ? document : current.documents.get(file)) ?? createDocument(file, '{}\n', {})
    const root = opened.root()
    if (root === null) throw new OpenClawError('INTERNAL', `${file} was read, but cannot be scanned`)
    const editor = createEditor(opened.text, root, { json: extname(file) !== '.json5' }, opened.value)
    editors.set(file, editor)
    return editor
  }

  const flush = async (): Promise<void> => {
    if (editors.size === 0) return
    for (const [file, editor] of editors) {
      overlay.set(file, finishDocument(file, editor, file === before.file ? maxRootBytes : maxFileBytes))
    }
    editors.clear()
    current = await loadConfig({ ...options, documents: overlay })
    authored = current.authored
  }

  return {
    edition,
    current: () => current,
    authored: () => authored,
    routable: () => {
      const { file, documents, ownerOf } = current
      return { file, authored, documents, ownerOf }
    },
    edit: async (edits, path) => {
      for (const each of edits) {
        const editor = editorOf(each.file)
        if (each.op === 'unset') editor.unset(each.path)
        else editor[each.op](each.path, each.value)
        const what = path.length === 0 ? 'a part of it' : formatPath(path)
        if (each.file !== before.file)
          note('include-edited', `${what} comes from ${each.file}, which is edited`)
      }
      const includes = edits.some((each) => each.op !== 'unset' && holdsDirective(each.value))
      if (current.documents.size > 0 || includes) await flush()
      else authored = editors.get(before.file)?.value() ?? authored
    },
    settle: async (always = false) => {
      // Without variables the merged value is all there is to know, and it has been kept.
      if (always || current.config !== current.authored) await flush()
    },
    record: (change, ...paths) => {
      changes.push(change)
      written.push(...paths)
    },
    note,
    tookAsText: (problem) => {
      textProblem = problem
    },
    finish: async () => {
      await flush()
      const files = [...overlay].flatMap(([file, { text }]): FileChange[] => {
        const old = (file === before.file ? before.document : before.documents.get(file))?.text ?? null
        return old === text ? [] : [{ file, before: old, after: text }]
      })
      // Included files first: a reader between two renames then finds no value that is not there yet.
      files.sort((a, b) => Number(a.file === before.file) - Number(b.file === before.file))
      return { before, after: current, changes, written, files, notices: [...notices.values()], textProblem }
    },
  }
}
