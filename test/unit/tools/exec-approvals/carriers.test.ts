import { describe, expect, test } from 'vitest'
import { carrierOf } from '../../../../src/tools/exec-approvals/carriers.ts'
import type { Arg, LineCommand } from '../../../../src/tools/exec-approvals/line.ts'

/*
 * Not every machine has each of these, so what they carry is asked without them.
 */
const scene = { cwd: '/ws', path: '/own/bin:/usr/bin', positional: null, depth: 0, readsFile: false }

function carriedBy(argv: readonly [string, ...Arg[]]) {
  const [name, ...args] = argv
  const carrier = carrierOf([name])
  if (carrier === null) return 'itself'
  if ('unread' in carrier) return 'unread'
  const from: LineCommand = { argv, scene, from: 'shell' }
  const carried = carrier.read(args, from)
  if (carried === 'nothing') return 'nothing'
  if ('puzzle' in carried) return 'puzzle'
  if ('script' in carried) return `script ${carried.script}`
  return carried.commands.map(
    (each) => `${each.argv.map((arg) => arg ?? '…').join(' ')} on ${each.scene.path}`,
  )
}

const twice = (command: string) => [
  `${command} on /own/bin:/usr/bin`,
  `${command} on /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
]

describe('as another user', () => {
  test.each<[readonly [string, ...Arg[]], unknown]>([
    [['sudo', 'id', '-u'], twice('id -u')],
    [['sudo', '-nEH', '-u', 'root', '--', 'id'], twice('id')],
    [['sudo', '--user=root', 'LANG=C', 'id'], twice('id')],
    [['sudo', 'PATH=.', 'id'], 'puzzle'],
    [['sudo', '-i'], 'puzzle'],
    [['sudo', '-s', 'id'], 'puzzle'],
    [['sudo', '-e', 'file'], 'puzzle'],
    [['sudo', '-A', 'id'], 'puzzle'],
    [['sudo', '--preserve-env=PATH', 'id'], 'puzzle'],
    [['sudo', null, 'id'], 'puzzle'],
    [['sudo'], 'nothing'],
    [['doas', '-u', 'root', 'id'], twice('id')],
    [['doas', '-s'], 'puzzle'],
    [['su', '-c', 'id'], 'unread'],
    [['pkexec', 'id'], 'unread'],
  ])('%j', (argv, expected) => {
    expect(carriedBy(argv)).toEqual(expected)
  })
})

describe('many programs in one', () => {
  test.each<[readonly [string, ...Arg[]], unknown]>([
    [['busybox', 'sh', '-c', 'id'], 'script id'],
    [['toybox', 'env', 'id'], ['id on /own/bin:/usr/bin']],
    [['busybox', 'busybox', 'sh', '-c', 'id'], 'puzzle'],
    [['busybox', 'rm', 'x'], 'puzzle'],
    [['busybox', null], 'puzzle'],
    [['busybox'], 'puzzle'],
  ])('%j', (argv, expected) => {
    expect(carriedBy(argv)).toEqual(expected)
  })
})

describe('shells', () => {
  test.each<[readonly [string, ...Arg[]], unknown]>([
    [['zsh', '-lc', 'id'], 'script id'],
    [['bash5', '-c', 'id'], 'script id'],
    [['bash', '--login', '-c', 'id', 'x'], 'script id'],
    [['bash', '-o', 'pipefail', '-c', 'id'], 'script id'],
    [['bash', '-o', 'posix', '-c', 'id'], 'puzzle'],
    [['bash', '+c', 'id'], 'puzzle'],
    [['bash', '-c'], 'puzzle'],
    [['bash', '-c', null], 'puzzle'],
    [['bash', null, 'id'], 'puzzle'],
    [['bash', 'script'], 'puzzle'],
    [['bash', '-s'], 'puzzle'],
    [['ksh', '-c', 'id'], 'unread'],
    [['fish', '-c', 'id'], 'unread'],
    [['python3', '-c', 'id'], 'itself'],
  ])('%j', (argv, expected) => {
    expect(carriedBy(argv)).toEqual(expected)
  })
})
