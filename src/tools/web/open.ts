import type { OpenFamily } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import type { Resolve } from './guard.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'
import { xSearch } from './x-search.ts'

/** The web tools of a run. `resolve` finds the addresses of names instead of DNS. */
export function openWebTools(options: CodingToolOptions, resolve?: Resolve): OpenFamily {
  return {
    tools: {
      web_fetch: webFetch(options, resolve),
      web_search: webSearch(options),
      x_search: xSearch(options),
    },
  }
}
