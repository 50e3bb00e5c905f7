import { constants, accessSync, type BigIntStats } from 'node:fs'
import type { OpenClawError } from '../../../kernel/errors.ts'
import { showName } from '../../../kernel/untrusted-text.ts'
import type { Dir } from '../dir.ts'
import { bytesOf, missing, textOf } from '../edit.ts'
import { inputError, isDirectoryError, notFound } from '../errors.ts'
import { mustBeFile, mustBeStoredAt } from '../open-file.ts'
import { mustBeWritable, pathsOf } from '../save.ts'
import type { Scope } from '../scope.ts'
import { visit, type Spot, type Wish } from '../walk.ts'
import { applyHunks, type NoFit } from './apply-hunks.ts'
import { wrong, type Section } from './parse.ts'

/** What becomes of one entry of a directory. */
export interface Op {
  readonly given: string
  /** Without symbolic links. */
  readonly path: string
  readonly dir: Dir
  /** Directories below `dir` that are to be made. */
  readonly missing: readonly string[]
  readonly name: string
  /** What is there; null for nothing. */
  readonly before: BigIntStats | null
  /** What shall be there; null for nothing. */
  readonly bytes: Buffer | null
  /** The file whose mode and owner the new one takes. */
  readonly like: BigIntStats | null
}

/** What a patch does to one file, for whoever asked. */
export interface FileChange {
  readonly kind: 'add' | 'update' | 'delete' | 'move'
  readonly path: string
  readonly to?: string
  readonly before: string
  readonly after: string
  readonly hardLinks?: number
}

export interface Plan {
  readonly ops: readonly Op[]
  readonly changes: readonly FileChange[]
}

/**
 * Looks at every file of a patch and makes out what it comes to, before anything is changed. The directories of the plan are open; `close`
 * is for whoever asked. Errors: INPUT_INVALID for what does not fit, with the line of the patch; TOOL_DENIED, TOOL_FAILED.
 */
export class Planner {
  readonly #scope: Scope
  readonly #ops: Op[] = []
  readonly #changes: FileChange[] = []
  readonly #dirs: Dir[] = []
  readonly #lines = new Map<string, number>()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  plan(sections: readonly Section[]): Plan {
    for (const section of sections) this.#section(section)
    return { ops: this.#ops, changes: this.#changes }
  }

  close(): void {
    for (const dir of this.#dirs) dir.close()
  }

  #section(section: Section): void {
    const { path, at } = section
    if (section.kind === 'add') {
      const text = section.lines.map((line) => `${line}\n`).join('')
      this.#create(at, path, Buffer.from(text), null)
      this.#changes.push({ kind: 'add', path, before: '', after: text })
      return
    }
    if (section.kind === 'delete') {
      const spot = this.#visit(at, path, { change: true, keepLink: true }, (found) => found)
      const stat = this.#existing(spot)
      if (!stat.isSymbolicLink()) mustBeFile(stat, path)
      this.#push(spot, { bytes: null, like: null })
      this.#changes.push({ kind: 'delete', path, before: '', after: '' })
      return
    }
    this.#update(section)
  }

  #update({ at, path, moveTo, hunks }: Extract<Section, { kind: 'update' }>): void {
    const { spot, old } = this.#visit(at, path, { change: true, keepLink: moveTo !== null }, (found) => {
      if (moveTo !== null && found.stat?.isSymbolicLink() === true)
        throw inputError(`${showName(path, 300)} is a symbolic link and cannot be moved by a patch`, path)
      return { spot: found, old: textOf(found) }
    })
    const { text, stat } = old
    const outcome = applyHunks(text.text, hunks)
    if ('kind' in outcome) throw misfit(outcome, text.text, path)
    const bytes = bytesOf(outcome.text, text, path)
    const hardLinks = Number(stat.nlink)
    const links = hardLinks > 1 ? { hardLinks } : {}
    const texts = { before: text.text, after: outcome.text, ...links }
    if (moveTo === null) {
      this.#push({ ...spot, stat }, { bytes, like: stat })
      this.#changes.push({ kind: 'update', path, ...texts })
      return
    }
    this.#push({ ...spot, stat }, { bytes: null, like: null })
    this.#create(at, moveTo, bytes, stat)
    this.#changes.push({ kind: 'move', path, to: moveTo, ...texts })
  }

  #create(at: number, path: string, bytes: Buffer, like: BigIntStats | null): void {
    const spot = this.#visit(at, path, { change: true, create: true }, (found) => {
      mustBeStoredAt(found.dir.here, path)
      return found
    })
    if (path.endsWith('/')) throw wrong(at, `${showName(path, 300)} names a directory`)
    if (spot.stat !== null) {
      throw wrong(at, `${showName(path, 300)} exists already`, [
        'use *** Update File to change it, or delete it in a patch before',
      ])
    }
    const dirs = pathsOf(spot.dir, spot.missing)
    const file = this.#ops.find((op) => op.bytes !== null && dirs.includes(op.path))
    const inIt = this.#ops.find((op) => pathsOf(op.dir, op.missing).includes(spot.path))
    if (file !== undefined || inIt !== undefined)
      throw wrong(at, `${showName(path, 300)}: the patch makes a file and a directory of one name`)
    this.#push(spot, { bytes, like })
  }

  #visit<Result>(at: number, path: string, wish: Wish, work: (spot: Spot) => Result): Result {
    return visit(this.#scope, path, { ...wish, hold: true }, (spot) => {
      if (spot.name === null) throw isDirectoryError(path)
      const result = work(spot)
      const other = this.#lines.get(spot.path)
      if (other !== undefined) {
        throw wrong(at, `${showName(path, 300)} was named before, in line ${other}`, [
          'put all that happens to a file into one part of the patch',
        ])
      }
      mayChange(spot)
      this.#lines.set(spot.path, at)
      this.#dirs.push(spot.dir)
      return result
    })
  }

  #existing(spot: Spot): BigIntStats {
    if (spot.stat === null) throw notFound(spot.given, spot.dir, spot.name ?? '', spot.path)
    if (!spot.stat.isSymbolicLink()) mustBeWritable(spot.stat, spot.given)
    return spot.stat
  }

  #push(spot: Spot, { bytes, like }: Pick<Op, 'bytes' | 'like'>): void {
    const { given, path, dir, missing: absent, name, stat } = spot
    this.#ops.push({ given, path, dir, missing: absent, name: name ?? '', before: stat, bytes, like })
  }
}

/** Finds out early what would stop the change later. Error: of the system. */
function mayChange({ dir }: Spot): void {
  accessSync(dir.here, constants.W_OK | constants.X_OK)
}

function misfit(found: NoFit, text: string, path: string): OpenClawError {
  const shown = showName(path, 300)
  const line = `line ${found.at} of the patch: `
  const data = { line: found.at, reason: found.kind }
  switch (found.kind) {
    case 'header':
      return missing(
        `${line}"@@ ${showName(found.header, 200)}" is not in ${shown}`,
        text,
        found.header,
        path,
        data,
      )
    case 'several':
      return inputError(
        `${line}the lines of this hunk are in several places of ${shown} (lines ${found.lines.slice(0, 5).join(', ')}${found.lines.length > 5 ? ', …' : ''})`,
        path,
        ['add lines around it, or a @@ line that names where to look'],
        { ...data, lines: found.lines },
      )
    case 'not-end':
      return inputError(
        `${line}this hunk has to end at the end of ${shown}, but its lines are in line ${found.line}`,
        path,
        ['leave *** End of File out'],
        data,
      )
    case 'missing':
      if (found.earlier !== null) {
        return inputError(
          `${line}the lines of this hunk are in line ${found.earlier} of ${shown}, before the place that the patch has come to`,
          path,
          ['put the hunks of a file in the order of its lines'],
          data,
        )
      }
      return missing(`${line}the lines of this hunk are not in ${shown}`, text, found.wanted, path, data)
  }
}
