import type { Plugin } from 'rolldown'

const marker = '\0plain-builtin:'

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
      handler: (id) => ({
        code: `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(marker.length))})`,
        moduleType: 'js',
      }),
    },
  }
}
