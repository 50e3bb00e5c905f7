/** One step of a pattern: a character, `?`, `*`, or `**`, which also crosses directories. */
type Step = { readonly char: string } | 'one' | 'some' | 'all'

const longestPattern = 1_000

function stepsOf(pattern: string): readonly Step[] {
  const steps: Step[] = []
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at)
    if (char === '?') steps.push('one')
    else if (char !== '*') steps.push({ char })
    else if (pattern.charAt(at + 1) === '*') {
      at++
      steps.push('all')
    } else steps.push('some')
  }
  return steps
}

/** Whether a pattern with `*`, `?` and `**` fits a whole path; `*` and `?` stay inside a directory. Takes time in the product of both lengths at most. */
export function fitsGlob(pattern: string, path: string): boolean {
  if (pattern.length > longestPattern) return false
  let ends = new Set([0])
  for (const step of stepsOf(pattern)) {
    const next = new Set<number>()
    if (step === 'some' || step === 'all') {
      const [from] = ends
      let open = false
      for (let at = from ?? path.length + 1; at <= path.length; at++) {
        open ||= ends.has(at)
        if (open) next.add(at)
        if (step === 'some' && path.charAt(at) === '/') open = false
      }
    } else {
      for (const at of ends) {
        const char = path.charAt(at)
        if (char !== '' && (step === 'one' ? char !== '/' : char === step.char)) next.add(at + 1)
      }
    }
    if (next.size === 0) return false
    ends = next
  }
  return ends.has(path.length)
}

/** Whether a path stands for itself alone when it is taken for a pattern. */
export function isLiteralPath(path: string): boolean {
  return path.length <= longestPattern && !/[*?~\\]/.test(path)
}
