import { OpenClawError } from '../kernel/errors.ts'
import { formatPath, type Location, type Path } from '../kernel/path.ts'
import { cleanLine } from '../kernel/untrusted-text.ts'
import { childNode } from '../config/node-path.ts'
import type { Document } from '../config/document.ts'

/** What a diagnostic is about, in a form a script can match. */
export type DiagnosticKind =
  | 'place'
  | 'manifest'
  | 'entry'
  | 'duplicate'
  | 'skill'
  | 'config'
  | 'code'
  | 'tool'
  | 'hook'
  | 'backend'

/** Something about a plugin its author or user should know; `error` means the plugin or the named tool cannot be used. */
export interface PluginDiagnostic {
  readonly code: 'PLUGIN_INVALID'
  readonly kind: DiagnosticKind
  readonly severity: 'error' | 'warning' | 'info'
  /** What is wrong, without the place. */
  readonly message: string
  /** Absolute path of the file or folder it is about. */
  readonly file: string
  readonly location: Location | null
  readonly tool?: string
}

/** What of a diagnostic its writer has to say. */
export type Finding = Omit<PluginDiagnostic, 'code' | 'location'> & { readonly location?: Location | null }

export function diagnostic({ location = null, ...finding }: Finding): PluginDiagnostic {
  return { code: 'PLUGIN_INVALID', ...finding, location }
}

/** Turns the error of a file that cannot be read or parsed into a diagnostic with its line and column. */
export function fileDiagnostic(file: string, error: OpenClawError): PluginDiagnostic {
  const { location, problem } = error.data
  const message = typeof problem === 'string' ? problem : error.message
  return diagnostic({
    kind: 'manifest',
    severity: 'error',
    message: cleanLine([message, ...error.hints].join('; '), 400),
    file,
    location: isLocation(location) ? location : null,
  })
}

function isLocation(value: unknown): value is Location {
  return typeof value === 'object' && value !== null && 'line' in value && 'column' in value
}

/** Place of a value in a document, or of the nearest thing around it that is there. */
export function placeIn(document: Document, path: Path): Location {
  const root = document.root()
  for (let length = path.length; length >= 0; length--) {
    const node = childNode(root, path.slice(0, length))
    if (node !== null)
      return { file: document.file, path: formatPath(path), ...document.position(node.start) }
  }
  return { file: document.file, path: formatPath(path), line: 1, column: 1 }
}
