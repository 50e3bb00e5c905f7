import { lookup } from 'node:dns/promises'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { isAddress, kindOf } from './address.ts'

/** One address that may be connected to. */
export interface Address {
  readonly address: string
  readonly family: 4 | 6
}

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly Address[]>

/** What a guard lets through besides public addresses. */
export interface GuardRules {
  /** `host` or `host:port`, lower case: hosts whose private addresses may be reached. */
  readonly hosts: readonly string[]
  /** Private addresses of every host. */
  readonly allowPrivate: boolean
  /** Config path of the list of hosts, for hints; null where nobody can change them. */
  readonly hostsPath: string | null
}

const longestUrl = 8_192

/** Ports of services that take HTTP for commands (the list of WHATWG Fetch, "bad port"). */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Names that mean this machine, its network or its cloud whatever they resolve to. */
const privateName = /(?:^|\.)(?:localhost|local|localdomain|internal|home\.arpa|lan|intranet)$/

/** Decides where tools may connect to: http and https to public addresses, and to what the owner of this machine has named. */
export class AddressGuard {
  readonly #rules: GuardRules
  readonly #resolve: Resolve

  constructor(rules: GuardRules, resolve: Resolve = resolveByDns) {
    this.#rules = rules
    this.#resolve = resolve
  }

  /** Reads an address as far as its text can be judged. INPUT_INVALID where it is none for the web, TOOL_DENIED where it must not be asked for. */
  check(text: string, base?: URL): URL {
    if (text.length > longestUrl) throw invalid('the URL is longer than 8192 characters')
    if (!URL.canParse(text, base?.href)) {
      throw invalid(`${shown(text)} is not a URL`, ['write it in full: https://example.com/page'])
    }
    const url = new URL(text, base?.href)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw invalid(`${shown(text)} is not an http or https URL`)
    }
    if (url.username !== '' || url.password !== '') {
      throw invalid('a URL with a user name or password in it is not used', [
        'leave out what stands before the @',
      ])
    }
    const port = url.port === '' ? null : Number(url.port)
    if (port !== null && badPorts.has(port)) throw denied(`port ${port} is not one of the web`)
    const host = hostOf(url)
    if (host === '') throw invalid(`${shown(text)} names no host`)
    if (isAddress(host)) this.#judge(url, host)
    else if (privateName.test(host) && !this.#isOpen(url)) {
      throw this.#refused(url, `${shown(host)} is a name inside of this machine or network`)
    }
    return url
  }

  /** Addresses of a checked URL; each may be connected to. TOOL_DENIED where one of them must not, TOOL_FAILED where the name is unknown. */
  async addresses(url: URL): Promise<readonly Address[]> {
    const host = hostOf(url)
    if (isAddress(host)) {
      this.#judge(url, host)
      return [{ address: host, family: host.includes(':') ? 6 : 4 }]
    }
    const found = await this.#resolve(host)
    if (found.length === 0) throw unknownHost(host)
    // One bad address among good ones is how a name is bound to this machine at the second look.
    for (const { address } of found) this.#judge(url, address)
    return found
  }

  /** What tells one set of rules from another. */
  get fingerprint(): string {
    const { hosts, allowPrivate } = this.#rules
    return JSON.stringify([hosts, allowPrivate])
  }

  #judge(url: URL, address: string): void {
    const { reach, what } = kindOf(address)
    if (reach === 'public' || (reach === 'private' && this.#isOpen(url))) return
    const host = hostOf(url)
    const subject = host === address ? shown(host) : `${shown(host)} leads to ${shown(address)}, which`
    const message = `${subject} is ${what}`
    throw reach === 'private' ? this.#refused(url, message) : denied(message)
  }

  #isOpen(url: URL): boolean {
    const host = hostOf(url)
    const { hosts, allowPrivate } = this.#rules
    return allowPrivate || hosts.includes(host) || hosts.includes(`${host}:${portOf(url)}`)
  }

  #refused(url: URL, message: string): OpenClawError {
    const { hostsPath } = this.#rules
    const entry = `${hostOf(url)}:${portOf(url)}`
    const hints =
      hostsPath === null
        ? []
        : [`if tools may reach it: openclaw config set ${hostsPath} --append ${JSON.stringify(entry)}`]
    return denied(message, hints)
  }
}

/** The host of a URL, lower case, without brackets and the dot of the root. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port
}

const resolveByDns: Resolve = async (host) => {
  try {
    const found = await lookup(host, { all: true, order: 'verbatim' })
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
  } catch (error) {
    throw unknownHost(host, error)
  }
}

function unknownHost(host: string, cause?: unknown): OpenClawError {
  return new OpenClawError('TOOL_FAILED', `no address is known for the host ${shown(host)}`, { cause })
}

function shown(text: string): string {
  return `"${showName(text, 200)}"`
}

function invalid(message: string, hints: readonly string[] = []): OpenClawError {
  return new OpenClawError('INPUT_INVALID', message, { hints })
}

function denied(message: string, hints: readonly string[] = []): OpenClawError {
  return new OpenClawError('TOOL_DENIED', `${message}, and web tools do not connect to it`, { hints })
}
