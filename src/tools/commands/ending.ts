import { setTimeout as wait } from 'node:timers/promises'
import { relatives, send, type Lineage } from './family-tree.ts'

/** Milliseconds between asking to end and killing. */
export const usualGraceMs = 2_000
/** Times that what was killed is looked for again. */
const mostRounds = 50

/**
 * Ends everything that belongs to a command: asks first, and kills what is still there after `graceMs`. Looks again until nothing is left, as
 * who is asked to end may fork.
 */
export async function endFamily(lineage: () => Lineage, graceMs: number): Promise<void> {
  const asked = new Set<number>()
  const deadline = performance.now() + graceMs
  let pause = graceMs > 0 ? 5 : 0
  while (pause > 0) {
    const living = livingOf(lineage())
    if (living.length === 0) return
    for (const target of living) {
      if (asked.has(target)) continue
      asked.add(target)
      // One that is stopped gets no signal before it goes on.
      send(target, 'SIGTERM')
      send(target, 'SIGCONT')
    }
    const left = deadline - performance.now()
    await wait(Math.max(0, Math.min(pause, left)))
    pause = left <= 0 ? 0 : Math.min(100, pause * 2)
  }
  for (let round = 0; round < mostRounds; round++) {
    if (!killNow(lineage())) return
    await wait(Math.min(100, 5 * (round + 1)))
  }
}

/** Kills what belongs to a command, at once; whether there was anything. */
export function killNow(lineage: Lineage): boolean {
  const living = livingOf(lineage)
  // The group first: the kernel takes all of it in one step, so that nobody in it can fork away.
  for (const leader of lineage.leaders) send(-leader, 'SIGKILL')
  for (const target of living) send(target, 'SIGKILL')
  return living.length > 0
}

/** Processes to send signals to; groups where the system does not tell of processes. */
function livingOf(lineage: Lineage): readonly number[] {
  if (process.platform === 'linux') return relatives(lineage)
  return [...lineage.leaders].map((leader) => -leader).filter((group) => send(group, 0))
}
