import { statSync, type BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { Root } from '../place.ts'
import { holdsAnswers, noAnswers } from './answers.ts'
import { codeOf, Dir, idOf, Swapped } from './dir.ts'
import { diskError, isDirectoryError, notDirectory, notFound } from './errors.ts'
import { absolutePath, outside, readOnly, type Scope } from './scope.ts'

/** Where a path led, with the directory of it held open. */
export interface Spot {
  /** The path as it was given. */
  readonly given: string
  /** The path without symbolic links. */
  readonly path: string
  /** The deepest directory on the way that exists. */
  readonly dir: Dir
  /** Directories below it that do not exist yet. */
  readonly missing: readonly string[]
  /** The entry itself; null where the path is a directory reached by `..`, `.` or `/`. */
  readonly name: string | null
  /** What the entry is; null where it does not exist. */
  readonly stat: BigIntStats | null
}

export interface Wish {
  /** Whether something is to be changed there. */
  readonly change?: boolean
  /** Whether directories on the way may be missing. */
  readonly create?: boolean
  /** Whether a symbolic link at the end is meant itself. */
  readonly keepLink?: boolean
  /** Whether the directory stays open after the visit; whoever asks closes it. */
  readonly hold?: boolean
}

const mostLinks = 40
const mostDepth = 256
const mostTries = 50

/**
 * Walks to a path and does something there. Every step opens a directory in the one before, never through a link; links are read and
 * walked in turn, so that at the end the directories that are held open say where the path leads, and nothing that somebody swaps meanwhile
 * can lead elsewhere. Errors: INPUT_INVALID, TOOL_DENIED outside the scope, TOOL_FAILED of the disk.
 */
export function visit<Result>(scope: Scope, given: string, wish: Wish, work: (spot: Spot) => Result): Result {
  const absolute = absolutePath(scope, given)
  for (let left = mostTries; left > 0; left--) {
    const walk = new Walk(scope, given, wish)
    let done = false
    try {
      const result = work(walk.to(absolute))
      done = true
      return result
    } catch (error) {
      if (!(error instanceof Swapped)) throw diskError(error, given, wish.change === true ? 'change' : 'read')
    } finally {
      walk.close(done && wish.hold === true)
    }
  }
  throw new OpenClawError('TOOL_FAILED', `${showName(given, 300)} keeps changing while it is opened`, {
    hints: ['something moves or links files there; try again when it has ended'],
    data: { path: given },
  })
}

class Walk {
  /** The directories from the root down, all open. */
  readonly #trail: Dir[] = [Dir.root()]
  readonly #scope: Scope
  readonly #given: string
  readonly #wish: Wish
  #links = 0

  constructor(scope: Scope, given: string, wish: Wish) {
    this.#scope = scope
    this.#given = given
    this.#wish = wish
  }

  get #top(): Dir {
    const top = this.#trail.at(-1)
    if (top === undefined) throw new OpenClawError('INTERNAL', 'a walk has left its root')
    return top
  }

  to(absolute: string): Spot {
    let spot: Spot
    try {
      spot = this.#walk(absolute.split('/'))
    } catch (error) {
      if (error instanceof Swapped) throw error
      // Whether something exists outside is nothing that an error may tell.
      throw this.#reaches() ? diskError(error, this.#given, 'open') : outside(this.#scope, this.#given)
    }
    return this.#allowed(spot)
  }

  close(keepTop: boolean): void {
    const { length } = this.#trail
    for (const [at, dir] of this.#trail.entries()) if (!keepTop || at < length - 1) dir.close()
  }

  #walk(names: readonly string[]): Spot {
    const queue = names.filter((name) => name !== '' && name !== '.')
    // `a/`, `a/.` and `a/..` mean a directory and nothing else.
    const last = names.at(-1)
    const wantsDirectory = last === '' || last === '.'
    while (queue.length > 0) {
      const name = queue.shift() ?? ''
      if (name === '..') {
        if (this.#trail.length > 1) this.#trail.pop()?.close()
        continue
      }
      const stat = this.#top.stat(name)
      const isLast = queue.length === 0
      if (stat?.isSymbolicLink() === true && !(isLast && this.#wish.keepLink === true && !wantsDirectory)) {
        this.#follow(name, queue)
        continue
      }
      if (isLast) {
        if (wantsDirectory && stat !== null && !stat.isDirectory()) throw notDirectory(this.#given, name)
        return this.#spot([], name, stat)
      }
      if (stat === null) return this.#absent(name, queue)
      if (!stat.isDirectory()) throw notDirectory(this.#given, join(this.#top.path, name))
      this.#enter(name)
    }
    return this.#spot([], null, null)
  }

  #enter(name: string): void {
    if (this.#trail.length > mostDepth)
      throw new OpenClawError('INPUT_INVALID', `${showName(this.#given, 300)} is too deep`)
    try {
      this.#trail.push(this.#top.child(name))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new Swapped(name)
      throw error
    }
  }

  #follow(name: string, queue: string[]): void {
    this.#links += 1
    if (this.#links > mostLinks) {
      throw new OpenClawError('INPUT_INVALID', `${showName(this.#given, 300)} leads in circles`, {
        hints: ['a symbolic link on the way points back to itself'],
        data: { path: this.#given },
      })
    }
    const target = this.#top.link(name)
    if (target.startsWith('/')) {
      for (const dir of this.#trail.splice(1)) dir.close()
    }
    queue.unshift(...target.split('/').filter((part) => part !== '' && part !== '.'))
  }

  /** A path below a directory that does not exist; `..` in what is to be created would mean nothing yet. */
  #absent(name: string, rest: readonly string[]): Spot {
    const all = [name, ...rest]
    const end = all.at(-1) ?? name
    if (this.#wish.create !== true) {
      throw notFound(this.#given, this.#top, name, join(this.#top.path, name))
    }
    if (all.includes('..')) {
      throw new OpenClawError(
        'INPUT_INVALID',
        `${showName(this.#given, 300)} goes back (..) from a directory that does not exist`,
        { hints: ['write the path without ..'], data: { path: this.#given } },
      )
    }
    return this.#spot(all.slice(0, -1), end, null)
  }

  #spot(missing: readonly string[], name: string | null, stat: BigIntStats | null): Spot {
    const dir = this.#top
    const path = name === null ? dir.path : join(dir.path, ...missing, name)
    return { given: this.#given, path, dir, missing, name, stat }
  }

  #reaches(): boolean {
    return this.#scope.fences === null || this.#fence() !== null
  }

  /** The innermost fence around the directory that the walk has come to. */
  #fence(): Root | null {
    return fenceOf(this.#scope, this.#trail)
  }

  #allowed(spot: Spot): Spot {
    if (this.#wish.change === true && holdsAnswers(this.#scope.stateDir, this.#trail, spot))
      throw this.#reaches() ? noAnswers(spot.given) : outside(this.#scope, spot.given)
    if (this.#scope.fences === null) return spot
    // The fence itself is reached as an entry of the directory around it, as in `ls` of the workspace.
    const inner =
      spot.name !== null && spot.stat?.isDirectory() === true
        ? fenceOf(this.#scope, [{ id: idOf(spot.stat) }])
        : null
    const fence = inner ?? this.#fence()
    if (fence === null || (this.#wish.change === true && inner !== null && this.#fence() === null))
      throw inner === null ? outside(this.#scope, spot.given) : isDirectoryError(spot.given)
    if (this.#wish.change === true && !fence.writable) throw readOnly(this.#scope, spot.given, fence)
    return spot
  }
}

function fenceOf({ fences }: Scope, trail: readonly Pick<Dir, 'id'>[]): Root | null {
  const known = (fences ?? []).map((fence) => ({ fence, id: identity(fence.dir) }))
  for (const { id } of trail.toReversed()) {
    const found = known.find((each) => each.id === id)
    if (found !== undefined) return found.fence
  }
  return null
}

function identity(dir: string): string | null {
  try {
    return idOf(statSync(dir, { bigint: true }))
  } catch {
    return null
  }
}
