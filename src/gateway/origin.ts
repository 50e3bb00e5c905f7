import { isLoopback } from './auth-limit.ts'

/** What a browser sends along about the page that asks. */
export interface PageHeaders {
  readonly origin?: string | undefined
  readonly host?: string | undefined
}

export interface OriginRules {
  /** Origins that may ask besides the server's own. */
  readonly allowed: readonly string[]
  /** Whether nobody is asked for a secret. */
  readonly open: boolean
}

/**
 * Why a request that a page may have made is refused, or null. Programs send no origin; a page must be the server's own or a listed one,
 * and a server without a secret is only asked under a name of this machine, or any web site could point a name of its own at it.
 */
export function originProblem({ origin, host }: PageHeaders, rules: OriginRules): string | null {
  const name = hostName(host)
  if (rules.open && host !== undefined && !isLoopback(name)) {
    return `this server is not known as ${JSON.stringify(name.slice(0, 80))}`
  }
  if (origin === undefined) return null
  const page = URL.parse(origin)
  const isListed = rules.allowed.some((each) => each === '*' || each.toLowerCase() === origin.toLowerCase())
  const isOwn = page !== null && host !== undefined && page.host.toLowerCase() === host.toLowerCase()
  return isListed || isOwn ? null : `pages of ${JSON.stringify(origin.slice(0, 80))} may not ask this server`
}

function hostName(host: string | undefined): string {
  return (host ?? '').replace(/:\d+$/, '')
}
