import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { Answer } from './transport.ts'

/** The start of a body, unpacked. */
export interface Body {
  readonly bytes: Buffer
  /** There was more than was read. */
  readonly truncated: boolean
}

/** Encodings that are asked for. */
export const acceptedEncodings = 'gzip, br'

/** Reads at most so many bytes of an answer, packed and unpacked, and hangs up then. TOOL_FAILED for an encoding that is not known; errors of the connection and of the packing are thrown as they come. */
export async function readBody(response: Answer, mostBytes: number): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  let truncated = false
  const stream = unpacked(response, mostBytes)
  try {
    for await (const chunk of stream) {
      const bytes: Buffer = chunk
      chunks.push(bytes)
      size += bytes.length
      if (size <= mostBytes) continue
      truncated = true
      break
    }
  } finally {
    response.destroy()
  }
  return { bytes: Buffer.concat(chunks).subarray(0, mostBytes), truncated }
}

function unpacked(response: Answer, mostBytes: number): Readable {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return response
  const make = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    br: createBrotliDecompress,
    deflate: createInflate,
  }
  const known = Object.entries(make).find(([name]) => name === encoding)
  if (known === undefined) {
    response.destroy()
    throw new OpenClawError(
      'TOOL_FAILED',
      `its content is packed as "${showName(encoding)}", which is not known here`,
    )
  }
  // Packing that never yields anything would go round the limit on what it yields.
  let packed = 0
  response.on('data', (chunk: Buffer) => {
    packed += chunk.length
    if (packed > mostBytes + 65_536) response.destroy(new Error('it sends more than it may'))
  })
  const unpack = known[1]()
  // The reader of the unpacked stream sees the error.
  pipeline(response, unpack, () => {})
  return unpack
}
