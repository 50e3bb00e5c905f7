/*
 * Works in a directory in a process of its own, made to be killed: node file-program.ts WHAT DIR [N]
 *
 *   patch     applies patches that take the files of DIR/workspace to and fro between two states, without end
 *   step      applies one patch; the Nth change of the file system ends the process in its place, none if N is 0 (then prints the names of all)
 *   fail      applies that patch in DIR/… with a change of the file system failing, for every Nth change; prints how each one ended
 *   swap      puts a directory, and a link to DIR/outside, in turn at DIR/workspace/door, without end
 */
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { syncBuiltinESMExports } from 'node:module'

const size = 4

/** The files of the two states between which patches go. */
export function states(): readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>] {
  const files = (letter: string): [string, string][] =>
    Array.from({ length: size }, (_, at) => [`f${at}`, `start\n${letter.repeat(50 + at)}\nend\n`])
  const first = Object.fromEntries([...files('a'), ['only-first', 'first\n'], ['here/name', 'moved\n']])
  const second = Object.fromEntries([
    ...files('b'),
    ['deep/er/only-second', 'second\n'],
    ['there', 'moved\n'],
  ])
  return [first, second]
}

/** Puts the files of the first state into `DIR/workspace`. */
export function start(dir: string): void {
  for (const [name, text] of Object.entries(states()[0])) {
    fs.mkdirSync(dirname(join(dir, 'workspace', name)), { recursive: true })
    fs.writeFileSync(join(dir, 'workspace', name), text)
  }
}

/** The patch from one of the states to the other. */
export function patchTo(second: boolean): string {
  const [from, to] = second ? ['a', 'b'] : ['b', 'a']
  const changed = Array.from({ length: size }, (_, at) => {
    const line = (letter: string): string => letter.repeat(50 + at)
    return [`*** Update File: f${at}`, ' start', `-${line(from)}`, `+${line(to)}`, ' end']
  })
  const rest = second
    ? [
        '*** Delete File: only-first',
        '*** Add File: deep/er/only-second',
        '+second',
        '*** Update File: here/name',
        '*** Move to: there',
      ]
    : [
        '*** Delete File: deep/er/only-second',
        '*** Add File: only-first',
        '+first',
        '*** Update File: there',
        '*** Move to: here/name',
      ]
  return ['*** Begin Patch', ...changed.flat(), ...rest, '*** End Patch'].join('\n')
}

/** Applies a patch in `DIR/workspace` with the state directory `DIR/state`. */
export async function applyIn(dir: string, input: string): Promise<void> {
  const { patchTool } = await import('../../src/tools/files/patch/patch.ts')
  const cwd = join(dir, 'workspace')
  const stateDir = join(dir, 'state')
  const fences = [{ dir: cwd, writable: true }]
  const scope = { cwd, home: dir, stateDir, fences, key: 'test', sandboxed: false }
  const { signal } = new AbortController()
  await patchTool(scope, { input }, { stateDir, signal, tell: () => {} })
}

async function patchForEver(dir: string): Promise<void> {
  // Whatever the last process has left is for this one to end.
  const { recoverPatches } = await import('../../src/tools/files/patch/recover.ts')
  await recoverPatches(join(dir, 'state'), new AbortController().signal, () => {})
  await import('../../src/tools/files/patch/patch.ts')
  await import('node:sqlite')
  let isSecond = fs.existsSync(join(dir, 'workspace/there'))
  process.stdout.write('ready\n')
  for (;;) {
    isSecond = !isSecond
    await applyIn(dir, patchTo(isSecond))
  }
}

const changing = [
  'renameSync',
  'unlinkSync',
  'rmSync',
  'rmdirSync',
  'mkdirSync',
  'linkSync',
  'writeSync',
  'fsyncSync',
] as const

/** Lets something happen in the place of a change; returns the names of those so far. */
function meddle(at: (name: string, count: number) => void): string[] {
  const changes: string[] = []
  for (const name of changing) {
    const original = fs[name] as (...args: unknown[]) => unknown
    const wrapped = (...args: unknown[]): unknown => {
      changes.push(name)
      at(name, changes.length)
      return original(...args)
    }
    Object.assign(fs, { [name]: wrapped })
  }
  syncBuiltinESMExports()
  return changes
}

/** How a patch ended of which one change failed. */
export interface FailedAt {
  readonly at: number
  readonly name: string
  readonly code: string
}

async function failEverywhere(dir: string, stride: number): Promise<readonly FailedAt[]> {
  await import('../../src/tools/files/patch/patch.ts')
  await import('node:sqlite')
  let failing = Number.NaN
  let failed = ''
  const changes = meddle((name, at) => {
    if (at !== failing) return
    failed = name
    throw Object.assign(new Error('made to fail'), { code: 'ENOSPC' })
  })
  const ends: FailedAt[] = []
  for (let at = 1 + Math.floor(Math.random() * stride); ; at += stride) {
    failing = Number.NaN
    start(join(dir, String(at)))
    changes.length = 0
    failed = ''
    failing = at
    const code = await applyIn(join(dir, String(at)), patchTo(true)).then(
      () => 'done',
      (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
    )
    if (failed === '') return ends
    ends.push({ at, name: failed, code })
  }
}

function swapForEver(dir: string): void {
  const door = join(dir, 'workspace/door')
  const inside = join(dir, 'workspace/inside')
  const link = join(dir, 'workspace/link')
  fs.symlinkSync(join(dir, 'outside'), link)
  process.stdout.write('ready\n')
  for (;;) {
    try {
      fs.renameSync(door, inside)
      fs.renameSync(link, door)
      fs.renameSync(door, link)
      fs.renameSync(inside, door)
    } catch {
      // While the door is missing the tools under test may make one.
      mend()
    }
  }

  function mend(): void {
    try {
      fs.rmSync(door, { recursive: true, force: true })
      fs.rmSync(link, { force: true })
      fs.symlinkSync(join(dir, 'outside'), link)
      fs.mkdirSync(inside, { recursive: true })
      fs.renameSync(inside, door)
    } catch {
      // Again, then.
    }
  }
}

const [, program = '', what, dir, step = '0'] = process.argv
if (program.endsWith('file-program.ts') && dir !== undefined) {
  if (what === 'swap') swapForEver(dir)
  else if (what === 'patch') await patchForEver(dir)
  else if (what === 'fail') process.stdout.write(JSON.stringify(await failEverywhere(dir, Number(step))))
  else {
    const changes = meddle((_, at) => {
      if (at === Number(step)) process.kill(process.pid, 'SIGKILL')
    })
    await applyIn(dir, patchTo(true))
    process.stdout.write(`${JSON.stringify(changes)}\n`)
  }
}
