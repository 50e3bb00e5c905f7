/** Bytes of one message, line or event of a server; larger ones end the connection. */
export const largestMessage = 16 * 1024 * 1024

/** Bytes that a server may send between two answers: notifications, requests of its own, text that is no protocol. */
export const largestSilence = 64 * 1024 * 1024

/** Bytes that may wait for a server to read them. */
export const largestBacklog = 8 * 1024 * 1024

/** Tools of one server. */
export const mostTools = 20_000

/** Pages of one tool list. */
export const mostPages = 1000

/** Bytes of one tool list. */
export const largestList = 32 * 1024 * 1024

/** Bytes in the unit that people read. */
export function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
