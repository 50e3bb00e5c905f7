import type { SystemEvents } from '../../tools/system-events.ts'

/** Texts that wait for one session at most; the oldest give way. */
export const mostWaiting = 50
const longestText = 20_000

/** A text as it is kept, of bounded length. */
export function kept(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText).toWellFormed()} …` : text
}

/** The queue of one program; its sessions share it, and it ends with the program. */
export function systemEvents(): SystemEvents {
  const waiting = new Map<string, string[]>()
  // Keys differ in case.
  const own = (sessionKey: string): string => sessionKey.toLowerCase()
  return {
    push: (sessionKey, text) => {
      const texts = waiting.get(own(sessionKey)) ?? []
      waiting.set(own(sessionKey), [...texts, kept(text)].slice(-mostWaiting))
    },
    take: (sessionKey) => {
      const texts = waiting.get(own(sessionKey)) ?? []
      waiting.delete(own(sessionKey))
      return texts
    },
    count: (sessionKey) => waiting.get(own(sessionKey))?.length ?? 0,
  }
}
