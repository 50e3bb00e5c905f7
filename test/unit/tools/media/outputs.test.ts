import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { saveMedia } from '../../../../src/tools/media/outputs.ts'
import { pixel } from '../../../helpers/media-provider.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

test.each([
  ['a picture', 'image/png', pixel, 'png'],
  ['a drawing', 'image/svg+xml', bytes('<?xml version="1.0"?><svg/>'), 'bin'],
  ['sound', 'audio/mpeg', bytes('\xff\xfb\x90\x64\0\0\0\0'), 'mp3'],
  ['sound in a container', 'audio/mpeg', bytes('OggS\0\x02'.padEnd(64, '\0')), 'bin'],
  ['a film of an unknown kind', 'video/mp4', bytes('a film'), 'mp4'],
  ['sound that begins with a bracket', 'audio/mpeg', bytes('[\x01\x02'), 'mp3'],
])('%s is kept', async (_, mimeType, data, ending) => {
  const stateDir = await tempDir()
  const [saved] = await saveMedia(stateDir, [{ data, mimeType }])
  expect(saved?.path.endsWith(`.${ending}`) || saved?.mimeType.includes('ogg')).toBe(true)
  expect(readFileSync(saved?.path ?? '')).toEqual(Buffer.from(data))
})

test.each([
  ['nothing at all', 'image/png', '', 'not an image: it is empty'],
  ['a page instead of sound', 'audio/mpeg', '<h1>busy</h1>', 'not sound: it is a text'],
  ['a page instead of a film', 'video/mp4', '\n<!DOCTYPE html><html>', 'not a film: it is a text'],
  ['JSON instead of sound', 'audio/mpeg', '{"error":{"message":"no"}}', 'not sound: it is a text'],
  [
    'a program instead of an image',
    'image/png',
    'MZ\x90\0'.padEnd(64, '\0'),
    'not an image: it is application/',
  ],
  ['a drawing that is said to be pixels', 'image/png', '<svg onload="alert(1)"/>', 'nobody knows its kind'],
  ['noise instead of an image', 'image/webp', 'noise', 'not an image: nobody knows its kind'],
  ['sound instead of an image', 'image/png', 'fLaC'.padEnd(64, '\0'), 'not an image: it is audio/'],
])('%s is the failure of the provider, and nothing is kept', async (_, mimeType, text, why) => {
  const stateDir = await tempDir()
  const good = { data: pixel, mimeType: 'image/png' }
  const call = saveMedia(stateDir, [good, { data: bytes(text), mimeType }])
  await expect(call).rejects.toMatchObject({ code: 'PROVIDER_FAILED', message: expect.stringContaining(why) })
  expect(existsSync(join(stateDir, 'media'))).toBe(false)
})
