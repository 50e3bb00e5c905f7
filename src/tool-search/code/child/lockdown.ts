import { languageGlobals } from './language.ts'

/*
 * Walls inside the child, behind the realm. What `import()` rejects with is an object of the host's realm, and so is its
 * promise: from there a guest walks to the host's intrinsics. They are frozen, make no code (a flag of the process), and the
 * global object and `process` have nothing left on them.
 */

/** What of `process` Node itself still needs to run microtasks, to keep silent about rejections, and to end. */
const neededOfProcess: ReadonlySet<string> = new Set([
  '_events',
  '_eventsCount',
  '_exiting',
  '_maxListeners',
  '_tickCallback',
  'domain',
  'emitWarning',
  'exitCode',
  'nextTick',
  'reallyExit',
])

/** Intrinsics that no global name leads to. */
const unnamed = [
  async () => {},
  function* () {},
  async function* () {},
  [].values(),
  new Map().values(),
  new Set().values(),
  ''[Symbol.iterator](),
  ''.matchAll(/a/g),
]

/** Large, and nothing that leaks leads there. */
const unfrozen: ReadonlySet<string> = new Set(['globalThis', 'Intl', 'Temporal'])

/** Freezes everything that can be reached from the given values. */
function freezeAll(queue: unknown[]): void {
  const seen = new Set<unknown>()
  while (queue.length > 0) {
    const value = queue.pop()
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
      continue
    seen.add(value)
    for (const key of Reflect.ownKeys(value)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(value, key)
      queue.push(descriptor?.value, descriptor?.get, descriptor?.set)
    }
    queue.push(Object.getPrototypeOf(value))
    Object.freeze(value)
  }
}

/** Looks at files without asking for the permission to. */
const unchecked = ['realpath', 'realpathSync'] as const

const scopes = ['fs.write', 'net', 'child', 'worker', 'addons', 'wasi', 'inspector', 'ffi'] as const

/**
 * Gives up the last permission, freezes the intrinsics and what the given object leads to, and empties `process` and the global
 * object; returns what is still granted.
 */
export function lockDown(leak: unknown): string[] {
  const { permission } = process
  const [, ownFile = ''] = process.argv
  // Without its flags there is no permission model at all.
  const granted = permission === undefined ? ['everything'] : []
  permission?.drop('fs.read')
  if (permission?.has('fs.read', ownFile)) granted.push('fs.read')
  granted.push(...scopes.filter((scope) => permission?.has(scope)))

  const files = process.getBuiltinModule('node:fs')
  for (const name of unchecked) Reflect.deleteProperty(files, name)
  Error.stackTraceLimit = 0
  const named = languageGlobals
    .filter((name) => !unfrozen.has(name))
    .map((name) => Reflect.get(globalThis, name))
  freezeAll([...named, ...unnamed, leak])
  for (const key of Reflect.ownKeys(process)) {
    if (typeof key === 'symbol' || !neededOfProcess.has(key)) Reflect.deleteProperty(process, key)
  }
  for (const key of Reflect.ownKeys(globalThis)) {
    if (typeof key === 'symbol' || !languageGlobals.includes(key)) Reflect.deleteProperty(globalThis, key)
  }
  return granted
}
