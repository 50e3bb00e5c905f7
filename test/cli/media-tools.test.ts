import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pixel, startMediaProvider } from '../helpers/media-provider.ts'
import { pdfOf } from '../helpers/pdf.ts'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'

const key = 'sk-very-secret-1234'

async function homeWith(baseUrl: string, more: object = {}): Promise<string> {
  const models = [
    { id: 'eyes', input: ['text', 'image'] },
    { id: 'blind', input: ['text'] },
  ]
  const home = await tempDir({
    '.openclaw/openclaw.json': JSON.stringify({
      agents: {
        defaults: {
          imageGenerationModel: 'own/draw',
          videoGenerationModel: 'own/film',
          imageModel: 'own/eyes',
          pdfModel: 'own/eyes',
        },
      },
      messages: { tts: { model: 'own/voice', voice: 'nova' } },
      models: { providers: { own: { baseUrl, apiKey: key, api: 'openai-completions', models } } },
      ...more,
    }),
    '.openclaw/workspace/notes.txt': 'no picture',
  })
  writeFileSync(join(home, '.openclaw/workspace/dot.png'), pixel)
  writeFileSync(join(home, '.openclaw/workspace/doc.pdf'), pdfOf('first page', 'second page'))
  return home
}

async function call(home: string, tool: string, args: object) {
  const { json, code, stdout } = await runJson(['tools', 'call', tool, '--args', JSON.stringify(args)], {
    home,
  })
  expect(stdout).not.toContain(key)
  return { json, code }
}

interface Made {
  readonly result: {
    readonly details: { readonly model: string; readonly files: readonly { readonly path: string }[] }
  }
}

const firstFile = (json: unknown): string => (json as Made).result.details.files[0]?.path ?? ''

describe('what makes media', () => {
  test('image_generate keeps the image and shows it', async () => {
    const { baseUrl, seen } = await startMediaProvider()
    const home = await homeWith(baseUrl)
    const { json, code } = await call(home, 'image_generate', { prompt: 'a dot', size: '256x256' })
    expect(code).toBe(0)
    expect(json).toMatchObject({
      result: {
        content: [{ type: 'text' }, { type: 'image', data: pixel.toString('base64'), mimeType: 'image/png' }],
        details: { model: 'own/draw', files: [{ mimeType: 'image/png', bytes: pixel.length }] },
      },
    })
    const file = firstFile(json)
    expect(readFileSync(file)).toEqual(pixel)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(seen).toMatchObject([{ path: '/v1/images/generations', authorization: `Bearer ${key}` }])
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ model: 'draw', prompt: 'a dot', n: 1, size: '256x256' })
  })

  test('an image to start from goes along', async () => {
    const { baseUrl, seen } = await startMediaProvider()
    const { code } = await call(await homeWith(baseUrl), 'image_generate', {
      prompt: 'bigger',
      image: 'dot.png',
    })
    expect(code).toBe(0)
    expect(seen[0]).toMatchObject({ path: '/v1/images/edits' })
    expect(seen[0]?.body).toContain(pixel.toString('latin1'))
  })

  test('tts speaks with the voice that is set', async () => {
    const { baseUrl, seen } = await startMediaProvider()
    const { json } = await call(await homeWith(baseUrl), 'tts', { text: 'hello' })
    expect(firstFile(json)).toMatch(/\.mp3$/)
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ model: 'voice', input: 'hello', voice: 'nova' })
  })

  test('video_generate waits for the job', async () => {
    const { baseUrl, seen } = await startMediaProvider()
    const { json } = await call(await homeWith(baseUrl), 'video_generate', { prompt: 'waves', seconds: 4 })
    expect(readFileSync(firstFile(json), 'utf8')).toBe('a film')
    expect(seen.map(({ path }) => path)).toEqual([
      '/v1/videos',
      '/v1/videos/v1',
      '/v1/videos/v1',
      '/v1/videos/v1/content',
    ])
  })

  test('the words of a provider are told without the key', async () => {
    const { baseUrl } = await startMediaProvider()
    const home = await homeWith(baseUrl)
    const { json, code } = await call(home, 'image_generate', { prompt: 'fail' })
    expect(code).toBe(6)
    expect(json).toMatchObject({
      error: {
        code: 'PROVIDER_FAILED',
        message: expect.stringMatching(/status 400: no such thing for Bearer \*\*\*$/),
      },
    })
    expect(existsSync(join(home, '.openclaw/media'))).toBe(false)
  })

  test('a provider that is not there is told', async () => {
    const { json, code } = await call(await homeWith('http://127.0.0.1:9/v1'), 'tts', { text: 'hello' })
    expect(code).toBe(6)
    expect(json).toMatchObject({
      error: { code: 'PROVIDER_FAILED', message: expect.stringContaining('cannot be reached') },
    })
  })
})

describe('what looks into media', () => {
  test('image asks the image model', async () => {
    const { baseUrl, seen } = await startMediaProvider()
    const { json } = await call(await homeWith(baseUrl), 'image', {
      image: 'dot.png',
      prompt: 'what colour?',
    })
    expect(json).toMatchObject({ result: { details: { model: 'own/eyes', text: 'asked: what colour?' } } })
    expect(seen[0]?.body).toContain(`data:image/png;base64,${pixel.toString('base64')}`)
  })

  test('without an image model the model of the session looks itself', async () => {
    const home = await homeWith('http://127.0.0.1:9/v1', { agents: {} })
    const { json } = await call(home, 'image', { image: `data:image/png;base64,${pixel.toString('base64')}` })
    expect(json).toMatchObject({
      result: { content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }] },
    })
  })

  test.each([
    ['image', { image: 'notes.txt' }, 'INPUT_INVALID', /expected a png, jpeg, gif or webp image/],
    ['image', { image: 'none.png' }, 'INPUT_INVALID', /none\.png/],
    ['image', { image: 'http://127.0.0.1:8080/a.png' }, 'TOOL_DENIED', /127\.0\.0\.1/],
    ['image', { image: 'dot.png', model: 'own/blind' }, 'PROVIDER_FAILED', /does not look at images/],
    ['image', { image: 'dot.png', model: 'nameless' }, 'INPUT_INVALID', /provider\/model/],
    ['pdf', { pdf: 'dot.png' }, 'INPUT_INVALID', /expected a PDF document/],
    ['pdf', { pdf: 'doc.pdf', pages: '3' }, 'INPUT_INVALID', /no page 3; the document has 2/],
  ])('%s %j is refused: %s', async (tool, args, errorCode, message) => {
    const { baseUrl } = await startMediaProvider()
    const { json } = await call(await homeWith(baseUrl), tool, args)
    expect(json).toMatchObject({ error: { code: errorCode, message: expect.stringMatching(message) } })
  })

  test('pdf returns the text of pages, or asks about it', async () => {
    const { baseUrl, seen } = await startMediaProvider()
    const home = await homeWith(baseUrl)
    const plain = await call(home, 'pdf', { pdf: 'doc.pdf', pages: '2' })
    expect(plain.json).toMatchObject({ result: { details: { model: null, pages: 2, read: 1 } } })
    expect(JSON.stringify(plain.json)).toMatch(/\[page 2\]\\nsecond page/)
    expect(JSON.stringify(plain.json)).not.toContain('first page')
    const asked = await call(home, 'pdf', { pdf: 'doc.pdf', prompt: 'Summary?' })
    expect(asked.json).toMatchObject({
      result: { details: { model: 'own/eyes', text: expect.stringContaining('Summary?') } },
    })
    expect(seen[0]?.body).toContain('first page')
  })
})

test('what is missing is told before anybody calls it', async () => {
  const home = await tempDir()
  const { stdout } = await runCli(['tools', 'explain', 'tts'], { home })
  expect(stdout).toContain(
    'needs a speech model\ntry: openclaw config set messages.tts.model openai/gpt-4o-mini-tts\n',
  )
  const { json, code } = await call(home, 'tts', { text: 'hello' })
  expect(code).toBe(1)
  expect(json).toMatchObject({ error: { code: 'TOOL_UNAVAILABLE', message: 'it needs a speech model' } })
})
