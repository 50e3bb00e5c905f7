import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserChecks, type BrowserEvidence } from '../../src/qa/scenarios/browser-page.ts'
import { codingChecks, type CodingEvidence } from '../../src/qa/scenarios/coding-in-sandbox.ts'
import { memoryChecks, type MemoryEvidence } from '../../src/qa/scenarios/memory-and-media.ts'
import { messageChecks, type MessageEvidence } from '../../src/qa/scenarios/messages-and-jobs.ts'
import { subAgentChecks, type SubAgentEvidence } from '../../src/qa/scenarios/sub-agents.ts'
import { webChecks, type WebEvidence } from '../../src/qa/scenarios/web-tools.ts'
import { testChecks } from '../helpers/counter-examples.ts'
import { qaLimitMs, runQa, type QaRun } from '../helpers/qa-run.ts'

/** Scenarios about what built-in tools do, against sites, a browser and a sandbox of this machine. */
const ids = [
  'coding-in-sandbox',
  'web-tools',
  'messages-and-jobs',
  'sub-agents',
  'memory-and-media',
  'browser-page',
]

let run: QaRun

beforeAll(async () => {
  run = await runQa(ids.flatMap((id) => ['--scenario', id]))
}, qaLimitMs)

afterAll(() => run.remove())

const ok = (tool: string, text: string, images = 0) => ({ tool, text, images, failed: false })

/** What scenarios collected where they could run; their checks are shown to fail on every machine. */
const recorded: Readonly<Record<string, unknown>> = {
  'coding-in-sandbox': {
    done: [
      ok('read', 'add() {\n  # Two numbers in, their sum out.\n  echo $(($1 - $2))\n}'),
      ok(
        'exec',
        'state out of reach\nnot ok: add 2 3 is -1, expected 5\n\nThe command ended with exit code 1.',
      ),
      ok('edit', 'Edited add.sh'),
      ok('exec', 'state out of reach\nok: add 2 3 is 5'),
    ],
    source: 'add() {\n  # Two numbers in, their sum out.\n  echo $(($1 + $2))\n}\n',
    said: 'exec: state out of reach\nok: add 2 3 is 5',
  },
  'browser-page': {
    done: [
      ok('browser', 'loaded with HTTP 200'),
      ok('browser', '- button "Ring the bell" [ref=e2]\n- paragraph: All is quiet'),
      ok('browser', 'clicked'),
      ok('browser', '- paragraph: The bell has rung'),
      ok('browser', 'a picture', 1),
      { tool: 'browser', text: '"127.0.0.1" is a loopback address', images: 0, failed: true },
    ],
    asked: ['/'],
  },
}

function evidenceOf<Evidence>(id: string): () => Evidence {
  return () => (run.evidence.scenarios[id] ?? recorded[id]) as Evidence
}

test('what this machine can run passes, and the rest says why it cannot', () => {
  const { scenarios, counts } = run.summary
  const failed = scenarios.filter(({ status }) => status === 'fail')
  expect(failed.map(({ id, details }) => `${id}: ${details}`)).toEqual([])
  expect(run.code).toBe(0)
  const skipped = scenarios.filter(({ status }) => status === 'skip')
  expect(skipped.map(({ id }) => id).filter((id) => !Object.hasOwn(recorded, id))).toEqual([])
  for (const { details } of skipped) expect(details).toMatch(/bubblewrap|Chromium|playwright-core/)
  expect(counts.passed + counts.skipped).toBe(ids.length)
})

describe('coding in a sandbox', () => {
  testChecks(codingChecks, evidenceOf<CodingEvidence>('coding-in-sandbox'), {
    'four-calls': {
      'a call is missing': (draft) => void draft.done.pop(),
      'another order': (draft) => void (draft.done = draft.done.toReversed()),
    },
    'test-fails-first': { 'it passes at once': (draft) => void (draft.done[1]!.text = 'ok: add 2 3 is 5') },
    'file-is-mended': {
      'it is as before': (draft) => void (draft.source = draft.source.replace('+', '-')),
      'a comment is lost': (draft) => void (draft.source = draft.source.replace(/.*#.*\n/, '')),
    },
    'test-passes-then': {
      'it still fails': (draft) => void (draft.done[3]!.text = 'not ok: add 2 3 is -1'),
      'the model is not told': (draft) => void (draft.said = ''),
    },
    'commands-run-in-the-sandbox': {
      'one sees the state': (draft) => void (draft.done[3]!.text = 'state in reach\nok: add 2 3 is 5'),
      'nothing ran': (draft) => void (draft.done = []),
    },
  })
})

describe('web tools', () => {
  testChecks(webChecks, evidenceOf<WebEvidence>('web-tools'), {
    'search-finds': {
      'nobody was asked': (draft) => void (draft.asked = []),
      'no hit came': (draft) => void (draft.done[0]!.text = 'no results'),
    },
    'page-is-read': {
      'it is raw': (draft) => void (draft.done[1]!.text += '<p>'),
      'it is not marked': (draft) => void (draft.done[1]!.text = 'It burns at night.'),
    },
    'redirects-are-judged': {
      'it is followed': (draft) => void draft.asked.push('/admin'),
      'it does not fail': (draft) => void (draft.done[2]!.failed = false),
    },
    'this-machine-is-closed': { 'it is open': (draft) => void (draft.done[3]!.failed = false) },
  })
})

describe('messages and jobs', () => {
  testChecks(messageChecks, evidenceOf<MessageEvidence>('messages-and-jobs'), {
    'message-arrives': { 'it does not': (draft) => void draft.received.shift() },
    'messages-are-signed': {
      'one is not': (draft) => void (draft.received[0]!.signed = false),
      'none came': (draft) => void (draft.received = []),
    },
    'job-runs': { 'it does not': (draft) => void (draft.jobRequests = 0) },
    'job-is-delivered': { 'only the message came': (draft) => void draft.received.splice(1) },
  })
})

describe('sub-agents', () => {
  testChecks(subAgentChecks, evidenceOf<SubAgentEvidence>('sub-agents'), {
    'child-is-made': {
      'there is only the parent': (draft) => void (draft.sessions = ['agent:main:qa-parent']),
    },
    'child-has-less': {
      'it has exec': (draft) => void draft.childTools.push('exec'),
      'it has what its parent has not': (draft) => void draft.childTools.push('web_fetch'),
      'it was never asked': (draft) => void (draft.childTools = []),
    },
    'result-comes-back': { 'it does not': (draft) => void (draft.said = 'done') },
    'parent-looks': {
      'the list is empty': (draft) => {
        for (const each of draft.done) each.text = '[]'
      },
      'it fails': (draft) => {
        for (const each of draft.done) each.failed = true
      },
    },
  })
})

describe('memory and media', () => {
  testChecks(memoryChecks, evidenceOf<MemoryEvidence>('memory-and-media'), {
    'memory-is-found': { 'nothing is': (draft) => void (draft.done[0]!.text = '{"results":[]}') },
    'memory-is-read': { 'it is not': (draft) => void (draft.done[1]!.text = '') },
    'goal-is-kept': { 'it is forgotten': (draft) => void (draft.done.at(-1)!.text = '"goal": null') },
    'image-is-made': {
      'nobody was asked': (draft) => void (draft.drawn = []),
      'everybody may read it': (draft) => void (draft.made!.isPrivate = false),
      'it is empty': (draft) => void (draft.made!.bytes = 0),
      'it is elsewhere': (draft) => void (draft.made = null),
    },
    'image-is-seen': { 'only words came': (draft) => void (draft.done[4]!.images = 0) },
  })
})

describe('the browser', () => {
  testChecks(browserChecks, evidenceOf<BrowserEvidence>('browser-page'), {
    'page-is-shown': { 'it is empty': (draft) => void (draft.done[1]!.text = '') },
    'button-works': { 'nothing happens': (draft) => void (draft.done[3]!.text = 'All is quiet') },
    'picture-is-taken': { 'no image came': (draft) => void (draft.done[4]!.images = 0) },
    'this-machine-is-closed': {
      'a page loads from it': (draft) => void draft.asked.push('/closed.png'),
      'it can be opened': (draft) => void (draft.done[5]!.failed = false),
    },
  })
})
