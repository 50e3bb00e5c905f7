/*
 * Preloaded with --import: makes the nth change of the file system the last one. FAULT is `kill:N` (SIGKILL in place of the
 * Nth change), `count` (writes the number of changes to the file named by FAULT_COUNT), or `CODE:N`, where the Nth change and
 * all later ones of its kind fail with that error, as on a full disk. Only changes below FAULT_DIR count.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [kind = 'count', position = '0'] = (process.env['FAULT'] ?? 'count').split(':')
const directory = process.env['FAULT_DIR'] ?? '/'
const at = Number(position)
const handles = new Map<number, string>()
let changes = 0
let failing: string | null = null

function failure(code: string, name: string): Error {
  return Object.assign(new Error(`${code}: made to fail, ${name}`), { code, syscall: name })
}

/** Counts one change and lets the fault happen. */
function change(name: string): void {
  changes += 1
  if (kind === 'count') return
  if (kind === 'kill') {
    if (changes === at) process.kill(process.pid, 'SIGKILL')
    return
  }
  if (changes === at) failing = name
  if (failing === name) throw failure(kind, name)
}

type Name =
  | 'renameSync'
  | 'rmSync'
  | 'unlinkSync'
  | 'mkdirSync'
  | 'writeSync'
  | 'fsyncSync'
  | 'fchmodSync'
  | 'openSync'

function isBelow(target: unknown): boolean {
  const path = typeof target === 'number' ? (handles.get(target) ?? '') : String(target)
  return path.startsWith(directory) && !path.endsWith('.lock')
}

function wrap(name: Name): void {
  const original = fs[name] as (...args: unknown[]) => unknown
  const wrapped = (...args: unknown[]): unknown => {
    const [target, flags] = args
    const isChange = name !== 'openSync' || /[wa]/.test(String(flags))
    if (isChange && isBelow(target)) change(name)
    const result = original(...args)
    if (name === 'openSync' && typeof result === 'number') handles.set(result, String(target))
    return result
  }
  Object.assign(fs, { [name]: wrapped })
}

for (const name of [
  'renameSync',
  'rmSync',
  'unlinkSync',
  'mkdirSync',
  'writeSync',
  'fsyncSync',
  'fchmodSync',
  'openSync',
] as const) {
  wrap(name)
}
syncBuiltinESMExports()

process.on('exit', () => {
  const target = process.env['FAULT_COUNT']
  if (target !== undefined) fs.appendFileSync(target, String(changes))
})
