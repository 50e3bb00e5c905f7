/** Whether this Node can lock a code child, and if not, why. */
export type IsolationSupport =
  | { readonly supported: true }
  | { readonly supported: false; readonly because: string }

/** Flags without which a child would not be locked, as this program passes them. */
const required = [
  ['--permission', 'cannot take permissions away from a process'],
  ['--allow-net', 'cannot deny the network to a process'],
  ['--disallow-code-generation-from-strings', 'cannot forbid code made from strings'],
  ['--disable-sigusr1', 'cannot keep a signal from opening a debugger'],
] as const

/** Whether code mode is possible here: a Node whose permission model also denies the network, which began with 25. */
export function isolationSupport(
  known: ReadonlySet<string> = process.allowedNodeEnvironmentFlags,
): IsolationSupport {
  if (process.versions['electron'] !== undefined) {
    return { supported: false, because: 'Electron is no Node that could be started with its own permissions' }
  }
  const missing = required.find(([flag]) => !known.has(flag))
  if (!missing) return { supported: true }
  return { supported: false, because: `Node ${process.versions.node} ${missing[1]} (no ${missing[0]})` }
}
