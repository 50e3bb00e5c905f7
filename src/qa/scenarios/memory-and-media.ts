import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Bench, type CallResult } from '../bench.ts'
import { json } from '../local-site.ts'
import { defineScenario, type Check } from '../scenario.ts'

/** What was found, made and kept. */
export interface MemoryEvidence {
  /** memory_search, memory_get, create_goal, image_generate, image, read, session_status. */
  readonly done: readonly CallResult[]
  /** Bytes of the file that was made, and whether others may read it. */
  readonly made: { readonly bytes: number; readonly isPrivate: boolean } | null
  /** What the site was asked to draw. */
  readonly drawn: readonly string[]
}

const sessionKey = 'agent:main:qa-memory'
const word = 'periwinkle'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)

function failed({ tool, text, failed: isFailed }: CallResult): string | null {
  return isFailed ? `${tool} failed: ${text}` : null
}

/** Asserted about that. */
export const memoryChecks: readonly Check<MemoryEvidence>[] = [
  {
    id: 'memory-is-found',
    title: 'A memory search finds the passage and says where it is',
    judge: ({ done }) =>
      done[0]?.text.includes(word) && done[0].text.includes('memory/colours.md')
        ? null
        : `memory_search gave ${done[0]?.text}`,
  },
  {
    id: 'memory-is-read',
    title: 'The passage can be read by its lines',
    judge: ({ done }) => (done[1]?.text.includes(word) ? null : `memory_get gave ${done[1]?.text}`),
  },
  {
    id: 'goal-is-kept',
    title: 'A goal is kept in the session, and its status tells it',
    judge: ({ done }) =>
      done.at(-1)?.text.includes('Paint the door') ? null : `session_status gave ${done.at(-1)?.text}`,
  },
  {
    id: 'image-is-made',
    title: 'An image is made by the configured model and kept where only its owner reads it',
    judge: ({ made, drawn, done }) => {
      if (!drawn.includes('a blue door')) return `it was asked for ${drawn.join('; ')}; ${done[3]?.text}`
      return made?.bytes === pixel.length && made.isPrivate ? null : `there is ${JSON.stringify(made)}`
    },
  },
  {
    id: 'image-is-seen',
    title: 'The model is shown the image that it looks at',
    judge: ({ done }) =>
      done[4] !== undefined && failed(done[4]) === null && done[4].images === 1
        ? null
        : `image gave ${JSON.stringify(done[4])}`,
  },
]

/** What an agent remembers, plans and makes. */
export const memoryAndMedia = defineScenario<MemoryEvidence>({
  id: 'memory-and-media',
  title: 'Memory is searched and read, goals are kept, images are made and seen',
  limitMs: 60_000,
  async drive(lab) {
    const drawn: string[] = []
    const site = await lab.site(({ path, body }) => {
      if (path !== '/v1/images/generations') return null
      drawn.push(String(/"prompt":"([^"]*)"/.exec(body)?.[1]))
      return json({ data: [{ b64_json: pixel.toString('base64') }] })
    })
    const bench = await lab.step('the Gateway starts with memory files and an image model', () =>
      Bench.open(lab, {
        name: 'memory',
        tools: 1,
        config: {
          tools: {
            allow: ['memory-core', 'create_goal', 'image', 'image_generate', 'read', 'session_status'],
          },
          agents: {
            defaults: { model: { primary: 'mock/mock-model' }, imageGenerationModel: 'painter/oil' },
          },
        },
        plugins: { 'memory-core': { enabled: true } },
        providers: { painter: { baseUrl: `${site.url}/v1`, apiKey: lab.secret() } },
        files: {
          'workspace/memory/colours.md': `# Colours\n\nThe front door was painted ${word} in spring.\n`,
          'workspace/MEMORY.md': '# Notes\n\nNothing about doors.\n',
        },
      }),
    )
    const early = [
      'then memory_search {"query":"colour of the front door"}',
      'then memory_get {"path":"memory/colours.md"}',
      'then create_goal {"objective":"Paint the door"}',
      'then image_generate {"prompt":"a blue door"}',
    ]
    await lab.step('a turn remembers, plans and draws', () => bench.turn(sessionKey, early.join('\n')))
    const file = /(\/\S+\.png)/.exec((await bench.results(sessionKey))[3]?.text ?? '')?.[1] ?? null
    const late = [`then image ${JSON.stringify({ image: file ?? 'none.png' })}`, 'then session_status {}']
    await lab.step('another one looks at the image', () => bench.turn(sessionKey, late.join('\n')))
    const done = await bench.results(sessionKey)
    const made =
      file !== null && file.startsWith(join(bench.home.stateDir, 'media'))
        ? { bytes: readFileSync(file).length, isPrivate: (statSync(file).mode & 0o077) === 0 }
        : null
    await lab.step('the Gateway ends', () => bench.stop())
    return { done, made, drawn }
  },
  checks: memoryChecks,
})
