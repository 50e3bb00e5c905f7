import type { Plugin } from 'rolldown'

const marker = '\0plain-builtin:'

/** Modules that cost much even as objects, and whose exports are functions: each loads its module when it is first called. */
const deferred = ['node:fs/promises']

function standIn(name: string): string {
  const object = `process.getBuiltinModule(${JSON.stringify(name)})`
  if (!deferred.includes(name)) return `module.exports = ${object}`
  const module: object = process.getBuiltinModule(name) ?? {}
  const functions = Object.entries(module).flatMap(([key, value]) =>
    typeof value === 'function' ? [key] : [],
  )
  return functions.map((key) => `exports.${key} = (...args) => ${object}.${key}(...args)`).join('\n')
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
