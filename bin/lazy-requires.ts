import type { Plugin } from 'rolldown'

const declaration = /^(?:const|var) (\w+) = ((?:__import(?:Default|Star)\()?require\("([^"]+)"\)\)?);$/gm

/** A function declaration, because it has to be there for the first line of the module. */
const helper = `
function __lazy(load) {
  let loaded
  return new Proxy({}, { get: (_, key) => (loaded ??= load())[key] })
}
`

/**
 * What a command never reaches, because the dispatcher does it: loading all commands, reporting errors, help, output.
 * The help chunk gets these modules through its own imports; left in here, every start would read them from disk.
 */
const unreached: Readonly<Record<string, readonly string[]>> = {
  'command.js': ['./config', './help/util', './ux'],
  'flags.js': ['./help'],
  'errors/index.js': ['./error', './handle', './warn'],
  'errors/errors/cli.js': ['../../screen', '../../ux/theme', 'indent-string', 'wrap-ansi'],
  'parser/index.js': ['./help'],
}

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
      handler(code, id) {
        const [, file = ''] = /@oclif\/core\/lib\/(.*)$/.exec(id.replaceAll('\\', '/')) ?? []
        let lazy = code.replaceAll(declaration, (line, name: string, load: string, source: string) => {
          if (!isOnlyRead(name, code)) return line
          const cut = unreached[file]?.includes(source)
          return `const ${name} = __lazy(() => ${cut ? `{ throw new Error('${source} is not in the build') }` : load});`
        })
        // The program watches stdout itself; asking for it opens a stream, which costs more than reading the command line.
        if (file === 'command.js') lazy = lazy.replace(/^process\.stdout\.on\('error'.*?^\}\);$/ms, '')
        return lazy === code ? null : { code: lazy + helper }
      },
    },
  }
}
