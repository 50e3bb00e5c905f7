import { hostOf } from './guard.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The proxy that the environment names for a URL (`HTTP_PROXY`, `HTTPS_PROXY`, less what `NO_PROXY` leaves out; lower case first), as a URL; null where
 * the URL is reached directly.
 */
export function envProxy(url: URL, env: Variables): string | null {
  const own = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = valueOf(env, own).trim()
  if (proxy === '' || isLeftOut(url, valueOf(env, 'no_proxy'))) return null
  const full = /^[a-z][\w+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
  return URL.canParse(full) && /^https?:$/.test(new URL(full).protocol) ? full : null
}

function valueOf(env: Variables, name: string): string {
  return env[name] ?? env[name.toUpperCase()] ?? ''
}

/** Whether a list of `*`, hosts, `.domains` and `host:port` names a URL. */
function isLeftOut(url: URL, list: string): boolean {
  const host = hostOf(url)
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      // An address of IPv6 has a port behind brackets only.
      const isAddress = /^[\da-f]*:[\da-f.]*:/.test(entry)
      const [, bare = entry, only] = (!isAddress && /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(entry)) || []
      if (only !== undefined && only !== port) return false
      const name = bare.replace(/^\*?\./, '')
      return host === name || host.endsWith(`.${name}`)
    })
}
