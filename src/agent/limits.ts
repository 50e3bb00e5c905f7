/** What a run may use up. */
export interface RunLimits {
  /** Requests to the model that a run may make. */
  readonly turns: number
  /** Bytes of all answers of providers and results of tools. */
  readonly bytes: number
}

/** Limits where nothing else is said: far beyond sensible work, near enough to end a model that goes in circles. */
export const usualLimits: RunLimits = { turns: 100, bytes: 64 * 1024 * 1024 }

/** Characters of one result that a model gets, by the size of its context window (tool search facts §1.11). */
export function longestResult(contextWindow: number | null): number {
  const tokens = contextWindow ?? 0
  const usual = tokens >= 200_000 ? 64_000 : tokens >= 100_000 ? 32_000 : 16_000
  return tokens === 0 ? usual : Math.max(1_000, Math.min(usual, Math.floor(tokens * 4 * 0.3)))
}

/** Bytes of JSON that the details of one result may have in a transcript. */
export const largestDetails = 32_768

/** Characters of earlier messages that are sent along: seven tenths of the window at four characters a token. */
export function longestHistory(contextWindow: number | null): number {
  return Math.floor((contextWindow ?? 128_000) * 4 * 0.7)
}
