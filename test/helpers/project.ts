import { fileURLToPath } from 'node:url'

/** Directory of package.json, with a slash at its end. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))
