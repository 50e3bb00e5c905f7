import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from '../../../src/kernel/sha256.ts'

const lengths = [...Array.from({ length: 200 }, (_, at) => at), 1000, 4095, 4096, 4097, 100_000]

test.each([
  ['a', 0x61],
  ['the highest bit', 0xff],
])('hashes bytes as Node does: %s', (_name, byte) => {
  const bytes = lengths.map((length) => Buffer.alloc(length, byte))
  expect(bytes.map((each) => sha256(each))).toEqual(
    bytes.map((each) => createHash('sha256').update(each).digest('hex')),
  )
})
