/*
 * Preloaded with --import: writes the URL of every module that the program loads, one a line, to the file named by
 * RECORD_MODULES. Counts are the same on every machine, milliseconds are not.
 */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const target = process.env.RECORD_MODULES
const urls: string[] = []

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) urls.push(url)
    return nextLoad(url, context)
  },
})

process.on('exit', () => {
  if (target !== undefined) writeFileSync(target, urls.join('\n'))
})
