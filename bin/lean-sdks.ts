import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

const headerList = fileURLToPath(new URL('../src/agent/providers/header-list.ts', import.meta.url))

/** The parts of OpenAI's API that are asked; the client makes an object for each of thirty. */
const kept = ['Chat', 'Responses']

/** What the SDK imports and is never asked for here, by the file that imports it: parts of the API, logins other than by key, helpers that collect a stream. */
const unreached: Readonly<Record<string, RegExp>> = {
  'client.mjs': /^\.\/(?:resources\/|auth\/workload-identity-auth\.mjs$)/,
  'resources/responses/responses.mjs': /\/ResponseStream\.mjs$/,
  'resources/chat/completions/completions.mjs': /\/ChatCompletion(?:Stream|Runner|StreamingRunner)\.mjs$/,
}

const imported = /^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]*)";$/gm
const reexported = /^export \{[^}]*\} from "([^"]*)";$/gm

/** The local names that a list of imports makes, with what they are called where they come from. */
function bindings(list: string): { name: string; from: string }[] {
  return list
    .split(',')
    .map((each) => each.trim().split(/\s+as\s+/))
    .filter(([from]) => from !== '')
    .map(([from = '', name = from]) => ({ name, from }))
}

/** Leaves imports out; what they bound can still be made and read, and does nothing. */
function without(code: string, sources: RegExp): string {
  const lean = code.replaceAll(
    imported,
    (line, list: string | undefined, all: string | undefined, source: string) => {
      const names = bindings(list ?? '')
      if (!sources.test(source) || names.some(({ from }) => kept.includes(from))) return line
      if (all === undefined) return names.map(({ name }) => `const ${name} = __Unused;`).join(' ')
      return `const ${all} = new Proxy({ ${kept.join(', ')} }, { get: (parts, name) => parts[name] ?? __Unused });`
    },
  )
  const leaner = lean.replaceAll(reexported, (line, source: string) => (sources.test(source) ? '' : line))
  if (lean === code) throw new Error(`nothing is imported from ${sources} any more`)
  return `class __Unused {}\n${leaner}`
}

/**
 * What the SDKs take from Node's HTTP client, which is loaded by the first look at any of it: headers are ours, and what stands for a
 * body is only looked at to see that ours, a text, is none.
 */
const globals = [
  ['Headers', `import { HeaderList as Headers } from ${JSON.stringify(headerList)}`],
  ['FormData', 'const FormData = class {}'],
  ['Response', 'const Response = class {}'],
] as const

/**
 * Keeps the SDKs of providers small: without what nobody asks for, and without Node's whole HTTP client. The first request to a
 * provider cost a server more CPU than its start.
 */
export function leanSdks(): Plugin {
  return {
    name: 'lean-sdks',
    transform: {
      filter: { id: /node_modules[\\/](?:openai|@anthropic-ai[\\/]sdk)[\\/].*\.mjs$/ },
      handler(code, id) {
        const [, file = ''] = /[\\/]node_modules[\\/]openai[\\/](.*)$/.exec(id) ?? []
        const sources = unreached[file.replaceAll('\\', '/')]
        const lean = sources === undefined ? code : without(code, sources)
        const own = globals.filter(([name]) => new RegExp(`\\b${name}\\b`).test(lean))
        const lines = own.map(([, declaration]) => `${declaration};\n`).join('')
        return own.length === 0 && lean === code ? null : { code: lines + lean }
      },
    },
  }
}
