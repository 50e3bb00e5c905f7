import { describe, expect, test } from 'vitest'
import { OpenClawError } from '../../../../src/kernel/errors.ts'
import { AddressGuard, type Address, type GuardRules } from '../../../../src/tools/web/guard.ts'
import { guardRules } from '../../../../src/tools/web/settings.ts'

const none: GuardRules = { hosts: [], allowPrivate: false, hostsPath: 'x.hosts' }
const table: Readonly<Record<string, readonly string[]>> = {
  'good.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'bad.example': ['127.0.0.1'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'router.lan': ['192.168.1.1'],
}
const resolve = async (host: string): Promise<readonly Address[]> =>
  (table[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

/** The code of the error with which an address is turned down, or what it would be connected to. */
async function judge(url: string, rules: GuardRules = none): Promise<string> {
  const guard = new AddressGuard(rules, resolve)
  try {
    const found = await guard.addresses(guard.check(url))
    return found.map(({ address }) => address).join(' ')
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    return error.code
  }
}

describe('addresses', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://①②⑦.0.0.1/',
    'http://127.0.0.1./',
    'http://0.0.0.0/',
    'http://0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://100.100.100.200/',
    'http://198.18.0.1/',
    'http://192.0.0.8/',
    'http://203.0.113.9/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[::7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:1::]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://router.lan/',
    'http://bad.example/',
    'http://mixed.example/',
    'http://mapped.example/',
    'http://good.example:25/',
    'http://good.example:6379/',
  ])('%s is denied', async (url) => {
    expect(await judge(url)).toBe(url.endsWith(':6379/') ? '93.184.216.34 2606:2800:220:1::1' : 'TOOL_DENIED')
  })

  test.each([
    'file:///etc/passwd',
    'ftp://good.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'gopher://good.example/',
    'http://user:secret@good.example/',
    'http://user@good.example/',
    'http://',
    'good.example',
    '',
    `http://good.example/${'a'.repeat(9000)}`,
    'http://[fe80::1%25eth0]/',
  ])('%s is no address for the web', async (url) => {
    expect(await judge(url)).toBe('INPUT_INVALID')
  })

  test.each([
    ['http://good.example/', '93.184.216.34 2606:2800:220:1::1'],
    ['https://good.example:8443/x?y#z', '93.184.216.34 2606:2800:220:1::1'],
    ['http://93.184.216.34/', '93.184.216.34'],
    ['http://[2606:2800:220:1::1]/', '2606:2800:220:1::1'],
    ['http://[::ffff:93.184.216.34]/', '::ffff:5db8:d822'],
    ['http://unknown.example/', 'TOOL_FAILED'],
  ])('%s leads to %s', async (url, wanted) => {
    expect(await judge(url)).toBe(wanted)
  })
})

describe('what is opened', () => {
  const rules = (policy: unknown) => guardRules(policy, 'x.hosts')

  test('by host, by host and port, and in any spelling of an address', async () => {
    const open = rules({ allowedHostnames: ['Bad.Example', '127.0.0.1:8080', '::1', ' ', 7, '[fd00::1]:81'] })
    expect(await judge('http://bad.example:99/', open)).toBe('127.0.0.1')
    expect(await judge('http://2130706433:8080/', open)).toBe('127.0.0.1')
    expect(await judge('http://127.0.0.1:8081/', open)).toBe('TOOL_DENIED')
    expect(await judge('http://127.0.0.1/', open)).toBe('TOOL_DENIED')
    expect(await judge('http://[::1]:7/', rules({ allowedHostnames: ['::1'] }))).toBe('TOOL_DENIED')
    expect(await judge('http://[::1]:8000/', open)).toBe('::1')
    expect(await judge('http://[fd00::1]:81/', open)).toBe('fd00::1')
    expect(await judge('http://10.0.0.1/', open)).toBe('TOOL_DENIED')
  })

  test('never reaches the metadata of a cloud, nor what no network routes', async () => {
    const open = rules({
      dangerouslyAllowPrivateNetwork: true,
      allowedHostnames: ['169.254.169.254', 'mapped.example'],
    })
    expect(await judge('http://10.0.0.1/', open)).toBe('10.0.0.1')
    expect(await judge('http://router.lan/', open)).toBe('192.168.1.1')
    for (const url of [
      'http://169.254.169.254/',
      'http://mapped.example/',
      'http://100.100.100.200/',
      'http://[fd00:ec2::254]/',
      'http://0.0.0.0/',
      'http://224.0.0.1/',
    ]) {
      expect(await judge(url, open)).toBe('TOOL_DENIED')
    }
  })

  test('is said with the command that would open it, where the owner can', async () => {
    const guard = new AddressGuard(none, resolve)
    expect(() => guard.check('http://127.0.0.1:8080/')).toThrow(
      expect.objectContaining({
        hints: ['if tools may reach it: openclaw config set x.hosts --append "127.0.0.1:8080"'],
      }),
    )
    expect(() => guard.check('http://169.254.169.254/')).toThrow(expect.objectContaining({ hints: [] }))
  })
})
