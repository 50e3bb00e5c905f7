import type { Plugin } from 'rolldown'

const declaration = /^const (\w+) = ((?:__import(?:Default|Star)\()?require\("[^"]+"\)\)?);$/gm

/** A function declaration, because it has to be there for the first line of the module. */
const helper = `
function __lazy(load) {
  let loaded
  return new Proxy({}, { get: (_, key) => (loaded ??= load())[key] })
}
`

/** Whether a module object is only ever read as `name.member`, so that nobody can tell it from a stand-in. */
function isOnlyRead(name: string, code: string): boolean {
  const uses = code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0
  const reads = code.match(new RegExp(`\\b${name}\\.\\w`, 'g'))?.length ?? 0
  return reads > 0 && uses === reads + 1
}

/**
 * Loads the parts of oclif when they are first used instead of all at once: a command needs its argument parser, not its
 * help, its plugin loader and its spinners, and evaluating those is a quarter of the CPU of a short run.
 */
export function lazyRequires(): Plugin {
  return {
    name: 'lazy-requires',
    transform: {
      filter: { id: /@oclif[\\/]core[\\/]lib[\\/].*\.js$/ },
      handler(code) {
        const lazy = code.replaceAll(declaration, (line, name: string, load: string) =>
          isOnlyRead(name, code) ? `const ${name} = __lazy(() => ${load});` : line,
        )
        return lazy === code ? null : { code: lazy + helper }
      },
    },
  }
}
