import type { SystemEvents } from '../../tools/system-events.ts'

/** Texts that wait for one session at most; the oldest give way. */
const mostWaiting = 50
const longestText = 20_000

/** The queue of one program; its sessions share it, and it ends with the program. */
export function systemEvents(): SystemEvents {
  const waiting = new Map<string, string[]>()
  // Keys differ in case.
  const own = (sessionKey: string): string => sessionKey.toLowerCase()
  return {
    push: (sessionKey, text) => {
      const texts = waiting.get(own(sessionKey)) ?? []
      const kept = text.length > longestText ? `${text.slice(0, longestText)} …` : text
      waiting.set(own(sessionKey), [...texts, kept].slice(-mostWaiting))
    },
    take: (sessionKey) => {
      const texts = waiting.get(own(sessionKey)) ?? []
      waiting.delete(own(sessionKey))
      return texts
    },
    count: (sessionKey) => waiting.get(own(sessionKey))?.length ?? 0,
  }
}
