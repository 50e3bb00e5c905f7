import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** Names under which plugins import the authoring helpers; the second is that of an earlier host. */
const specifiers: ReadonlySet<string> = new Set([
  'openclaw-toolchain/plugin',
  'openclaw/plugin-sdk',
  'openclaw/plugin-sdk/plugin-entry',
])

let isServed = false

/** Makes the authoring helpers importable from any plugin, so that a plugin folder needs no packages of its own; a copy the plugin brings wins. */
export function serveAuthoringModule(): void {
  if (isServed) return
  isServed = true
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifiers.has(specifier)) return next(specifier, context)
      try {
        return next(specifier, context)
      } catch {
        const file = createRequire(import.meta.url).resolve('openclaw-toolchain/plugin')
        return { url: pathToFileURL(file).href, format: 'module', shortCircuit: true }
      }
    },
  })
}
