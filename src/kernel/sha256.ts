import { hash } from 'node:crypto'

/*
 * SHA-256 (FIPS 180-4) for the texts of config files. Node's own is in a module whose loading takes longer than everything else
 * that a write of a small config does; a text of megabytes is worth it.
 */

/** Bytes above which Node's own is faster, loading included. */
const large = 256 * 1024

/** Fractional bits of a root, as the standard takes its constants from the first primes. */
function fraction(value: number): number {
  return ((value - Math.floor(value)) * 2 ** 32) | 0
}

const primes: number[] = []
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
}
const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const rounds = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** The message with its end mark and length, in whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const size = Math.ceil((bytes.length + 9) / 64) * 64
  const message = new Uint8Array(size)
  message.set(bytes)
  message[bytes.length] = 0x80
  const view = new DataView(message.buffer)
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(size - 4, (bytes.length * 8) % 2 ** 32)
  return view
}

/** Works one block into the state; plain variables, because this is where the time goes. */
function mix(state: Int32Array, words: Int32Array): void {
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g)
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + rounds[at]! + words[at]!) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
  state[4] = state[4]! + e
  state[5] = state[5]! + f
  state[6] = state[6]! + g
  state[7] = state[7]! + h
}

/** Hash of some bytes, in hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  if (bytes.byteLength > large) return hash('sha256', bytes)
  const view = padded(bytes)
  const state = Int32Array.from(start)
  const words = new Int32Array(64)
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(block + at * 4)
    for (let at = 16; at < 64; at++) {
      const before = words[at - 15]!
      const late = words[at - 2]!
      const low = turn(before, 7) ^ turn(before, 18) ^ (before >>> 3)
      const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
      words[at] = words[at - 16]! + low + words[at - 7]! + high
    }
    mix(state, words)
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}
