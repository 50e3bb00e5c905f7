import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, createDeflateRaw } from 'node:zlib'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openMediaTools } from '../../src/tools/media/open.ts'
import { extractPdfFile } from '../../src/tools/web/extract-thread.ts'
import { pdfFile, pdfOf } from '../helpers/pdf.ts'
import { callTool, failure, familyOptions } from '../helpers/tool-family.ts'
import { webServer } from '../helpers/web-server.ts'

/** A PDF file of one page whose stream unpacks to so many times 32 MiB of blanks. */
async function bomb(times: number): Promise<Buffer> {
  const packing = createDeflateRaw({ level: 9 })
  const chunks: Buffer[] = []
  packing.on('data', (chunk: Buffer) => chunks.push(chunk))
  packing.write(Buffer.alloc(32 * 1024 * 1024, 0x20))
  packing.flush(constants.Z_FULL_FLUSH)
  await once(packing, 'drain')
  const block = Buffer.concat(chunks)
  const stream = Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array.from({ length: times }, () => block),
    Buffer.from([3, 0, 0, 0, 0, 0]),
  ])
  return pdfFile([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>',
    `<</Length ${stream.length}/Filter/FlateDecode>>stream\n${stream.toString('latin1')}\nendstream`,
  ])
}

test('a PDF file that unpacks without end costs neither the program nor the time of its call', async () => {
  const data = await bomb(256)
  const before = process.memoryUsage.rss()
  const begun = performance.now()
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 20)
  const { signal } = new AbortController()
  const error = await failure(extractPdfFile(data, null, 5_000, signal))
  clearInterval(timer)
  expect(['TIMEOUT', 'TOOL_FAILED']).toContain(error.code)
  expect(performance.now() - begun).toBeLessThan(15_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(3 * 1024 ** 3)
  // The program went on meanwhile.
  expect(ticks).toBeGreaterThan(10)
})

test('a call that is ended does not wait for its PDF file', async () => {
  const options = await familyOptions({ context: { supports: { vision: true } } })
  writeFileSync(join(options.workspace, 'a.pdf'), await bomb(64))
  const stop = new AbortController()
  const call = callTool(openMediaTools(options), 'pdf', { pdf: 'a.pdf' }, stop.signal)
  setTimeout(() => stop.abort(new Error('enough')), 200)
  await expect(call).rejects.toThrow('enough')
})

test('headers of the owner stay with the site that a file is asked from', async () => {
  const seen: unknown[] = []
  const other = await webServer((request, response) => {
    seen.push(request.headers['x-token'], request.headers['authorization'])
    response.end(pdfOf('moved'))
  })
  const first = await webServer((request, response) => {
    seen.push(request.headers['x-token'], request.headers['authorization'])
    response.writeHead(302, { location: `${other.origin}/doc.pdf` }).end()
  })
  const headers = { 'x-token': 't-1', authorization: 'Bearer b-1' }
  const ssrfPolicy = { allowedHostnames: [first.host, other.host] }
  const options = await familyOptions({ config: { tools: { web: { fetch: { headers, ssrfPolicy } } } } })
  const { content } = await callTool(openMediaTools(options), 'pdf', { pdf: `${first.origin}/doc.pdf` })
  expect(content[0]).toMatchObject({ text: expect.stringContaining('moved') })
  expect(seen).toEqual(['t-1', 'Bearer b-1', undefined, undefined])
})
