import type { Random } from './seeded-random.ts'

/** Words of which none, as it stands, is a command; the forbidden name is in many of them. */
const words = [
  'ok1',
  'bad',
  "'bad'",
  '"; bad"',
  "'; bad; '",
  '"a\\"; bad; \\""',
  '\\;',
  'bad\\;bad',
  '"$(ok2 bad)"',
  '$(ok1)',
  '`ok2`',
  '"`ok1 bad`"',
  '$x',
  '"$x"',
  '${y:-bad}',
  '{a,bad}',
  'a=bad',
  '~',
  '*',
  '[b]ad',
  '<(ok1)',
  '\\\nbad',
  "'\\'",
  '"\\\\"',
  '-c',
  '$((1+2))',
  '"#bad"',
  'x#bad',
  "''",
]

const names = ['ok1', 'ok2', 'o"k"1', "'ok2'", 'ok\\1', 'o\\\nk1', '"ok1"']

/** A line that every shell can read, out of allowed programs, and now and then the forbidden one. */
export function shellLine(random: Random, depth = 2, forbidden = 0.06): string {
  const name = random.chance(forbidden) ? random.pick(['bad', "b'a'd", 'b\\ad']) : random.pick(names)
  const simple =
    [name, ...random.some(random.below(4), words)].join(' ') +
    random.pick(['', '', ' 2>&1', ' >/dev/null', ' # bad'])
  if (depth === 0) return simple
  const inner = () => shellLine(random, depth - 1, forbidden)
  switch (random.below(14)) {
    case 0:
      return `(${inner()}\n)`
    case 1:
      return `{ ${inner()}\n}`
    case 2:
      return `${inner()}\n${inner()}`
    case 3:
      return `${simple.replace(/ # bad$/, '')} ${random.pick(['&&', '||', ';', '|', '&'])} ${inner()}`
    case 4:
      return `if ${inner()}\nthen ${inner()}\nelse ${inner()}\nfi`
    case 5:
      return `for f in ${random.some(2, words).join(' ')}; do ${inner()}\ndone`
    case 6:
      return `case ${random.pick(words)} in x) ${inner()}\n;; *) ${inner()}\nesac`
    case 7:
      return `ok1 "$(${inner()}\n)"`
    case 8:
      return `ok1 <<EOF\nbad; ${random.pick(words.filter((word) => !word.includes('\n')))}\nEOF`
    case 9:
      return `ok2 <<'EOF'\n$(bad) \`bad\`\nEOF`
    case 10:
      return `${random.pick(['env', 'nice -n 1', 'timeout 5', 'env LANG=C', 'command', 'exec', 'env -S'])} ${simple}`
    case 11:
      return `sh -c ${quoted(inner())} ${random.some(random.below(3), words).join(' ')}`
    case 12:
      return `sh -c ${random.pick([`'"$0" "$@"'`, `'$0 "$1"'`, `'exec "$0"'`, `'ok1; "$0"'`])} ${random.pick([...names, 'bad'])} ${random.pick(words)}`
    default:
      return simple
  }
}

/** A text as one word in single quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

const scraps = [
  ...`;|&()<>{}'"\`$\\#\n!=~*? bad`,
  '$(',
  '$((',
  '<<',
  '<<<',
  '&&',
  '${',
  "$'",
  '$"',
  ' bad ',
  '\nbad\n',
  'EOF',
  '\\\n',
  '>/dev/null',
  '[[',
  '((',
]

/** A line with a few characters put in, taken out or put elsewhere. */
export function damaged(line: string, random: Random): string {
  let text = line
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(text.length + 1)
    const taken = random.chance(0.4) ? 1 + random.below(3) : 0
    text = text.slice(0, at) + (random.chance(0.7) ? random.pick(scraps) : '') + text.slice(at + taken)
  }
  return text
}

/** The same word in another spelling. */
export function respelled(word: string, random: Random): string {
  switch (random.below(4)) {
    case 0:
      return quoted(word)
    case 1:
      return `"${word.replaceAll(/[\\"$`]/g, String.raw`\$&`)}"`
    case 2:
      return [...word].map((char) => (/\W/.test(char) || random.chance(0.5) ? `\\${char}` : char)).join('')
    default: {
      const at = random.below(word.length)
      return `${quoted(word.slice(0, at))}${quoted(word.slice(at))}`
    }
  }
}
