/*
 * English stemmer after the published description of Porter2 ("English" on snowballstem.org).
 * Input is one lower-case a–z word; anything else comes back unchanged.
 */

const special = new Map(
  [
    'skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl',
    'sky:sky news:news howe:howe atlas:atlas cosmos:cosmos bias:bias andes:andes',
  ].flatMap((line) => rules(line)),
)

/** Words that are finished once their plural ending is gone. */
const finished = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '))

const step2 = [
  'ational:ate ization:ize fulness:ful ousness:ous iveness:ive tional:tion biliti:ble entli:ent ation:ate alism:al',
  'aliti:al fulli:ful lessli:less ousli:ous iviti:ive enci:ence anci:ance abli:able izer:ize ator:ate alli:al bli:ble ogist:og',
]
const step2Rules = byLastLetter(rules(step2.join(' ')))
const step3Rules = byLastLetter(
  rules('ational:ate tional:tion alize:al icate:ic iciti:ic ical:ic ness: ful:'),
)
const step4Rules = byLastLetter(
  rules('ement: ance: ence: able: ible: ment: ant: ent: ism: ate: iti: ous: ive: ize: al: er: ic:'),
)
/** Beginnings that are their own first region, so that "university" and "universal" stay apart. */
const longStems = 'gener commun arsen past univers later emerg organ inter'.split(' ')
const doubled = new Set(['bb', 'dd', 'ff', 'gg', 'mm', 'nn', 'pp', 'rr', 'tt'])
const wordPattern = /^[a-z]+$/

type Rule = readonly [ending: string, replacement: string]

function rules(text: string): readonly Rule[] {
  return text.split(' ').map((rule) => {
    const [ending = '', replacement = ''] = rule.split(':')
    return [ending, replacement] as const
  })
}

/** Rules by the last letter of their ending: most words then need no comparison at all. Longer endings stay first. */
function byLastLetter(list: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> {
  return Map.groupBy(list, ([ending]) => ending.at(-1) ?? '')
}

function ruleFor(text: string, rulesByLetter: ReadonlyMap<string, readonly Rule[]>): Rule | undefined {
  return rulesByLetter.get(text[text.length - 1] ?? '')?.find(([ending]) => text.endsWith(ending))
}

/** Stem of one lower-case word by Porter2; words with characters outside a–z and words of one or two letters stay as they are. */
export function stem(word: string): string {
  if (word.length <= 2 || !wordPattern.test(word)) return word
  const known = special.get(word)
  if (known !== undefined) return known

  // An upper-case Y is a consonant, as in the published description.
  let text = markConsonantY(word)
  const [r1, r2] = regions(text)
  text = pluralStep(text)
  if (finished.has(text)) return text
  text = pastStep(text, r1)
  if (text.length > 2 && /[yY]$/.test(text) && !isVowel(text, text.length - 2)) text = `${text.slice(0, -1)}i`
  text = derivedStep(text, r1)
  text = adjectiveStep(text, r1, r2)
  text = residualStep(text, r2)
  return finalStep(text, r1, r2).toLowerCase()
}

function markConsonantY(word: string): string {
  if (!word.includes('y')) return word
  let out = ''
  for (let at = 0; at < word.length; at += 1) {
    const letter = word[at] ?? ''
    out += letter === 'y' && (at === 0 || isVowel(out, at - 1)) ? 'Y' : letter
  }
  return out
}

function isVowel(text: string, at: number): boolean {
  const letter = text[at]
  return letter !== undefined && 'aeiouy'.includes(letter)
}

/** Start of the region after the first consonant that follows a vowel, from `from`. */
function regionAfter(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (!isVowel(text, at) && isVowel(text, at - 1)) return at + 1
  }
  return text.length
}

function regions(text: string): [number, number] {
  const prefix = longStems.find((start) => text.startsWith(start))
  const r1 = prefix === undefined ? regionAfter(text, 0) : prefix.length
  return [r1, regionAfter(text, r1)]
}

function pluralStep(text: string): string {
  if (text.endsWith('sses')) return text.slice(0, -2)
  if (text.endsWith('ied') || text.endsWith('ies')) return text.slice(0, text.length > 4 ? -2 : -1)
  if (text.endsWith('us') || text.endsWith('ss') || !text.endsWith('s')) return text
  for (let at = 0; at < text.length - 2; at += 1) if (isVowel(text, at)) return text.slice(0, -1)
  return text
}

function pastStep(text: string, r1: number): string {
  const eed = text.endsWith('eedly') ? 5 : text.endsWith('eed') ? 3 : 0
  if (eed > 0) return text.length - eed >= r1 ? `${text.slice(0, -eed)}ee` : text
  const ending = ['ingly', 'edly', 'ing', 'ed'].find((candidate) => text.endsWith(candidate))
  if (ending === undefined) return text
  const rest = text.slice(0, -ending.length)
  if (!/[aeiouy]/.test(rest)) return text
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (doubled.has(rest.slice(-2))) return /^[aeo]..$/.test(rest) ? rest : rest.slice(0, -1)
  return r1 >= rest.length && endsInShortSyllable(rest) ? `${rest}e` : rest
}

function endsInShortSyllable(text: string): boolean {
  const last = text.length - 1
  if (last === 1) return isVowel(text, 0) && !isVowel(text, 1)
  return (
    last > 1 &&
    !isVowel(text, last) &&
    !'wxY'.includes(text[last] ?? '') &&
    isVowel(text, last - 1) &&
    !isVowel(text, last - 2)
  )
}

function derivedStep(text: string, r1: number): string {
  const rule = ruleFor(text, step2Rules)
  if (rule !== undefined) return replaceFrom(text, rule, r1)
  if (text.endsWith('ogi')) return text.endsWith('logi') ? replaceFrom(text, ['ogi', 'og'], r1) : text
  if (text.endsWith('li') && 'cdeghkmnrt'.includes(text[text.length - 3] ?? '?')) {
    return replaceFrom(text, ['li', ''], r1)
  }
  return text
}

function adjectiveStep(text: string, r1: number, r2: number): string {
  const rule = ruleFor(text, step3Rules)
  if (rule !== undefined) return replaceFrom(text, rule, r1)
  return text.endsWith('ative') ? replaceFrom(text, ['ative', ''], r2) : text
}

function residualStep(text: string, r2: number): string {
  const rule = ruleFor(text, step4Rules)
  if (rule !== undefined) return replaceFrom(text, rule, r2)
  return text.endsWith('sion') || text.endsWith('tion') ? replaceFrom(text, ['ion', ''], r2) : text
}

function replaceFrom(text: string, [ending, replacement]: Rule, region: number): string {
  const at = text.length - ending.length
  return at >= region ? text.slice(0, at) + replacement : text
}

function finalStep(text: string, r1: number, r2: number): string {
  const at = text.length - 1
  if (text.endsWith('e')) {
    const drop = at >= r2 || (at >= r1 && !endsInShortSyllable(text.slice(0, at)))
    return drop ? text.slice(0, at) : text
  }
  return at >= r2 && text.endsWith('ll') ? text.slice(0, at) : text
}
