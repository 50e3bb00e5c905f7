import type { Plugin } from 'rolldown'

const marker = '\0plain-builtin:'

/**
 * Reads an export only when it is used: looking at all of them, as the bundler's helper does, loads their lazy parts, two
 * milliseconds for `node:util` and eighty for `node:crypto`. A module that is itself a function, or is written to, stays as it is.
 */
function standIn(name: string): string {
  const object = `process.getBuiltinModule(${JSON.stringify(name)})`
  const module: unknown = process.getBuiltinModule(name)
  if (typeof module !== 'object' || module === null || name === 'node:process')
    return `module.exports = ${object}`
  return `let module
for (const key of ${JSON.stringify(Object.keys(module))}) {
  Object.defineProperty(exports, key, { enumerable: true, get: () => (module ??= ${object})[key] })
}`
}

/**
 * Takes Node's modules as objects instead of importing them: an import reads every export once, which loads all their lazy
 * parts, and `node:fs` alone brings streams, readline and the REPL's history along (a sixth of an empty start).
 */
export function plainBuiltins(): Plugin {
  return {
    name: 'plain-builtins',
    resolveId: {
      filter: { id: /^node:/ },
      handler: (source, importer, { kind }) => {
        // The bundler's own runtime is what makes the stand-ins below possible.
        const isRuntime = importer?.startsWith('\0rolldown') ?? false
        return kind === 'import-statement' && !isRuntime ? `${marker}${source}` : null
      },
    },
    load: {
      filter: { id: /^\0plain-builtin:/ },
      handler: (id) => ({ code: standIn(id.slice(marker.length)), moduleType: 'js' }),
    },
  }
}
