import ipaddr from 'ipaddr.js'

/** How far an address reaches: for everybody, for this machine and its network, or nothing a tool may ever talk to. */
export type Reach = 'public' | 'private' | 'never'

export interface AddressKind {
  readonly reach: Reach
  /** In words for a message: "a loopback address". */
  readonly what: string
}

/** Kinds that the owner of a machine may open for named hosts. */
const liftable: Readonly<Record<string, string>> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  carrierGradeNat: 'an address inside a carrier network',
}

/** Where clouds answer with the credentials of a machine; they lie in ranges that can be opened. */
const metadata: ReadonlySet<string> = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'])

/** Judges an IP address as it would be connected to; a text that is none is never reachable. */
export function kindOf(address: string): AddressKind {
  if (address.includes('%') || !ipaddr.isValid(address))
    return { reach: 'never', what: 'no plain IP address' }
  const ip = ipaddr.parse(address)
  if (ip instanceof ipaddr.IPv6) {
    // Mapped addresses are IPv4 in other words, and connect to it.
    if (ip.isIPv4MappedAddress()) return kindOf(ip.toIPv4Address().toString())
    if (ip.range() === 'unicast' && ip.parts[0]! >> 13 !== 1)
      return { reach: 'never', what: 'an address outside of the public IPv6 range' }
  }
  if (metadata.has(ip.toString())) return { reach: 'never', what: 'the metadata service of a cloud' }
  const range = ip.range()
  if (range === 'unicast') return { reach: 'public', what: 'a public address' }
  const what = Object.hasOwn(liftable, range) ? liftable[range] : undefined
  return what === undefined ? { reach: 'never', what: `a ${range} address` } : { reach: 'private', what }
}

/** Whether a text is an IP address, as `URL.hostname` writes it without brackets. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host)
}
