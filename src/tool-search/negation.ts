const end = /(?<=[.!?;\n])/
const suspicious = /\b(?:not|don't|never|avoid|cannot|can't|instead)\b/i
const negative =
  /^\W*(?:(?:this|the) (?:tool|function|command) (?:is|should|does|do|can|must) ?not\b|not (?:for|to be|suitable|intended|meant)\b|do not\b|don't\b|never\b|avoid\b|cannot\b|can't\b|use \S+ instead\b)/i

/** A description without the sentences that say what the tool is not for: their words would attract the very queries they send away. */
export function withoutNegations(description: string): string {
  if (!suspicious.test(description)) return description
  return description
    .split(end)
    .filter((sentence) => !negative.test(sentence))
    .join('')
}
