import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Names under which plugins import the authoring helpers; the last two are those of an earlier host. */
const specifiers: ReadonlySet<string> = new Set([
  'openclaw-toolchain/plugin',
  'openclaw/plugin-sdk',
  'openclaw/plugin-sdk/plugin-entry',
])

/** The file of the authoring helpers: the built one under its public name, or its source beside this one where the sources run. */
function authoringFile(): string {
  const self = fileURLToPath(import.meta.url)
  if (self.endsWith('.ts')) return join(dirname(self), 'authoring.ts')
  return createRequire(import.meta.url).resolve('openclaw-toolchain/plugin')
}

let isServed = false

/** Makes the authoring helpers importable from any plugin, so that a plugin folder needs no packages of its own; a copy the plugin brings wins. */
export function serveAuthoringModule(): void {
  if (isServed) return
  isServed = true
  const url = pathToFileURL(authoringFile()).href
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifiers.has(specifier)) return next(specifier, context)
      try {
        return next(specifier, context)
      } catch {
        return { url, shortCircuit: true }
      }
    },
  })
}
