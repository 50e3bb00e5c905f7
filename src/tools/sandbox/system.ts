import { lstatSync, readlinkSync } from 'node:fs'

/** A part of this machine's system that a sandbox can read. */
export type SystemPart =
  | { readonly type: 'bind'; readonly path: string }
  | { readonly type: 'link'; readonly path: string; readonly target: string }

const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store']

/** What programs look up; nothing in it is a secret of this machine. */
const settings = [
  'alternatives',
  'bash.bashrc',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'debian_version',
  'inputrc',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'perl',
  'pki/tls/certs',
  'pki/ca-trust',
  'protocols',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
  'terminfo',
  'timezone',
].map((name) => `/etc/${name}`)

const forNetwork = ['resolv.conf', 'hosts', 'host.conf', 'gai.conf'].map((name) => `/etc/${name}`)

/** What is there of the system: programs, libraries and the few settings they need. */
export function systemParts(network: boolean): readonly SystemPart[] {
  const wanted = [...programs, ...settings, ...(network ? forNetwork : [])]
  return wanted.flatMap((path): SystemPart[] => {
    const seen = lstatSync(path, { throwIfNoEntry: false })
    if (seen === undefined) return []
    // A link to the part of /usr that it is; a setting that is a link is read through it.
    if (seen.isSymbolicLink() && programs.includes(path))
      return [{ type: 'link', path, target: readlinkSync(path) }]
    return [{ type: 'bind', path }]
  })
}
