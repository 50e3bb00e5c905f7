/** What a module that only passes exports of another file on looks like after minifying. */
const passedOn = /^export\{([^{}]+)\}from"\.\/([^"/]+\.js)";$/

/**
 * Lets lazy imports name the file that has the code. The bundler gives each module of a group that is imported lazily a file of its
 * own that passes the exports on, and looking up and reading that one costs a start more than what is in it. Files are by their
 * names below the output; what nobody names any more is left out.
 */
export function withoutPassing(files: ReadonlyMap<string, string>): Map<string, string> {
  const passing = new Map<string, { readonly target: string; readonly members: string }>()
  for (const [name, code] of files) {
    const [, exports, target] = passedOn.exec(code.trim()) ?? []
    if (!exports || !target || !name.startsWith('chunks/')) continue
    const members = exports.split(',').map((part) => {
      const [inner = '', outer = inner] = part.trim().split(' as ')
      return `${outer}:e.${inner}`
    })
    passing.set(name.slice('chunks/'.length), { target, members: members.join() })
  }
  const direct = [...files].map(([name, code]): [name: string, code: string] => [
    name,
    code.replaceAll(
      /import\(`((?:\.{1,2}\/)+(?:chunks\/)?)([^`/]+\.js)`\)/g,
      (whole, path: string, file: string) => {
        const found = passing.get(file)
        return found ? `import(\`${path}${found.target}\`).then(e=>({${found.members}}))` : whole
      },
    ),
  ])
  const named = new Set(
    direct.flatMap(([, code]) => [...code.matchAll(/\/([^`"'/]+\.js)[`"']/g)].map(([, file]) => file)),
  )
  return new Map(
    direct.filter(([name]) => {
      const file = name.slice('chunks/'.length)
      return !passing.has(file) || named.has(file)
    }),
  )
}

/**
 * Escapes what is not ASCII, which stands in strings, templates and patterns only. With a single other character Node decodes a
 * file in the slow way, and V8 keeps two bytes for each of its characters. Throws for a text in which an escape would stand as it is.
 */
export function inAscii(code: string): string {
  const [raw] = /\bString\.raw`(?:[^`\\]|\\.)*?[^\0-\x7F]/s.exec(code) ?? []
  if (raw !== undefined) throw new Error(`no escape is read in ${raw}`)
  // A back-slash before such a character says nothing, and would turn the escape into text.
  return code.replaceAll(/(\\*)([^\0-\x7F])/g, (_, slashes: string, unit: string) => {
    const kept = slashes.length % 2 === 1 ? slashes.slice(1) : slashes
    return `${kept}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
