import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import type { StdioSettings } from './settings.ts'

/*
 * A server may start helpers of its own (`npx` starts a shell that starts Node). Each server leads a process group, so that
 * ending it ends them too, and a terminal's Ctrl-C reaches this program first and the servers through it.
 */

/** A running server. */
export type ServerProcess = ChildProcessWithoutNullStreams

const hasGroups = process.platform !== 'win32'
const live = new Set<ServerProcess>()

/** Starts a server's program in a process group of its own; failing to start is the child's `error` event. */
export function startGroup({ command, args, env, cwd }: StdioSettings): ServerProcess {
  const child = spawn(command, [...args], {
    cwd,
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    detached: hasGroups,
    windowsHide: true,
  })
  if (child.pid !== undefined) {
    if (live.size === 0) watchEnd()
    live.add(child)
  }
  return child
}

/** Sends a signal to every process of a server's group; whether there was any. */
export function signalGroup(child: ServerProcess, signal: NodeJS.Signals): boolean {
  if (child.pid === undefined) return false
  try {
    return hasGroups ? process.kill(-child.pid, signal) : child.kill(signal)
  } catch {
    return false
  }
}

/** Kills what is left of a server's group after its end, and forgets it. */
export function buryGroup(child: ServerProcess): void {
  signalGroup(child, 'SIGKILL')
  live.delete(child)
  if (live.size === 0) unwatchEnd()
}

function killAll(): void {
  for (const child of live) signalGroup(child, 'SIGKILL')
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal that would end this program without its exit handlers ends the servers first; one that somebody handles does not. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  killAll()
  process.removeListener(signal, onSignal)
  process.kill(process.pid, signal)
}

function watchEnd(): void {
  process.on('exit', killAll)
  // In front of the others: a handler that wants to be called once is gone by the time of the next one.
  for (const signal of signals) process.prependListener(signal, onSignal)
}

function unwatchEnd(): void {
  process.removeListener('exit', killAll)
  for (const signal of signals) process.removeListener(signal, onSignal)
}
