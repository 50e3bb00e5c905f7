import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approvalChecks, type ApprovalEvidence } from '../../src/qa/scenarios/approval-round-trip.ts'
import { reloadChecks, type ReloadEvidence } from '../../src/qa/scenarios/config-hot-reload.ts'
import { largeChecks, type LargeEvidence } from '../../src/qa/scenarios/large-catalogue.ts'
import { mcpDeathChecks, type McpDeathEvidence } from '../../src/qa/scenarios/mcp-server-dies.ts'
import { senderChecks, type SenderEvidence } from '../../src/qa/scenarios/policy-by-sender.ts'
import { faultChecks, type FaultEvidence } from '../../src/qa/scenarios/provider-faults.ts'
import { toolSearchChecks } from '../../src/qa/scenarios/tool-search/checks.ts'
import type {
  LaneId,
  PayloadEvidence,
  ToolSearchEvidence,
  Way,
} from '../../src/qa/scenarios/tool-search/evidence.ts'
import { testChecks, type CounterExamples, type Draft } from '../helpers/counter-examples.ts'
import { qaLimitMs, runQa, type QaRun } from '../helpers/qa-run.ts'
import { schemaProblems, untold } from '../helpers/result-schema.ts'

/** Scenarios about what holds tools together; those about what tools do have a file of their own. */
const ids = [
  'tool-search-gateway-e2e',
  'policy-by-sender-and-group',
  'mcp-server-dies',
  'approval-round-trip',
  'config-hot-reload',
  'provider-faults',
  'ten-thousand-tools',
]

let run: QaRun

beforeAll(async () => {
  run = await runQa(ids.flatMap((id) => ['--scenario', id]))
}, qaLimitMs)

afterAll(() => run.remove())

/** What a scenario collected; its checks read it as the type that the scenario says. */
function evidenceOf<Evidence>(id: string): () => Evidence {
  return () => run.evidence.scenarios[id] as Evidence
}

describe('qa suite', () => {
  test('passes, and says so', () => {
    const failed = run.summary.scenarios.filter(({ status }) => status !== 'pass')
    expect(failed.map(({ id, details }) => `${id}: ${details}`)).toEqual([])
    expect(run.code).toBe(0)
    expect(run.summary.counts).toEqual({ total: 7, passed: 7, skipped: 0, failed: 0 })
    expect(schemaProblems('qa-suite', run.summary)).toEqual([])
    expect(untold('qa-suite', run.summary)).toEqual([])
  })

  test('tells on stderr what it does, line by line', () => {
    const lines = run.stderr.trimEnd().split('\n')
    expect(lines[0]).toBe('7 scenarios')
    expect(lines).toContainEqual(
      expect.stringMatching(/^tool-search-gateway-e2e ✓ direct: the Gateway starts with 36 tools {2}\d+ ms$/),
    )
    expect(lines.filter((line) => / passed in \d+\.\d s$/.test(line))).toHaveLength(7)
  })

  test('measures every lane with the catalogue and with a thousand tools', () => {
    const rows = run.summary.payload.filter(({ scenario }) => scenario === 'tool-search-gateway-e2e')
    expect(rows.map(({ lane, catalogue }) => `${lane} ${catalogue}`)).toEqual(
      [36, 1000].flatMap((size) => ['direct', 'code', 'tools', 'directory'].map((lane) => `${lane} ${size}`)),
    )
    expect(rows.every(({ requestBytes, toolBytes }) => requestBytes > toolBytes && toolBytes > 0)).toBe(true)
    expect(run.summary.metrics.emptyNodeMs).toBeGreaterThan(0)
    expect(run.summary.metrics.lanes).toHaveLength(8)
    expect(run.report).toContain('## What the model was sent')
  })
})

type Change = (draft: Draft<ToolSearchEvidence>) => void
type LaneChange = (lane: Draft<ToolSearchEvidence>['lanes'][LaneId]) => void

const lane =
  (id: LaneId, change: LaneChange): Change =>
  ({ lanes }) =>
    change(lanes[id])

/** Changes what came of the attempts on one way. */
const attempt =
  (
    way: Way,
    change: (attempt: Draft<ToolSearchEvidence>['lanes'][LaneId]['attempts'][number]) => void,
  ): Change =>
  ({ lanes }) => {
    for (const { attempts } of Object.values(lanes))
      attempts.filter((each) => each.way === way).forEach(change)
  }

const deniedId = 'openclaw:tool-search-e2e-fixture:fake_plugin_denied'

/** What makes any attempt a success of the wrong kind. */
function reaches(way: Way): Readonly<Record<string, Change>> {
  return {
    'the tool ran': attempt(way, (each) => (each.ran = 1)),
    'the model got its result': attempt(
      way,
      (each) => (each.toolOutput = 'FAKE_PLUGIN_OK fake_plugin_denied {}'),
    ),
    'nobody tried': ({ lanes }) => {
      for (const each of Object.values(lanes)) each.attempts = each.attempts.filter((one) => one.way !== way)
    },
    'the model made no call': attempt(way, (each) => (each.planned = [])),
  }
}

const swap = (draft: Draft<PayloadEvidence>['turn'], direct: Draft<PayloadEvidence>['turn']): void => {
  draft.providerRawBytes = direct.providerRawBytes
}

const outside = {
  ok: true,
  status: 200,
  code: null,
  message: '',
  requiresApproval: false,
  approvalId: null,
} as const

const toolSearchExamples: CounterExamples<ToolSearchEvidence> = {
  'direct-calls-the-tool': {
    'the answer is only an echo of the prompt': lane('direct', ({ turn }) => {
      turn.gatewayOutputText = 'You said: tool search qa check target=fake_plugin_tool_17'
    }),
    'the tool never ran': lane('direct', (each) => (each.ran = {})),
    'the Gateway failed': lane('direct', ({ turn }) => (turn.gatewayStatus = 502)),
    'a control was used': lane('direct', ({ turn }) => (turn.providerPlannedTools = ['tool_search_code'])),
  },
  'tool-search-calls-the-tool': {
    'the target was called directly in code mode': lane('code', ({ turn, target }) => {
      turn.providerPlannedTools = [target]
    }),
    'the call came before the search': lane('tools', ({ turn }) => {
      turn.providerPlannedTools = ['tool_call', 'tool_search']
    }),
    'there were two searches': lane('tools', ({ turn }) => {
      turn.providerPlannedTools = ['tool_search', 'tool_search', 'tool_call']
    }),
    'the result is that of another tool': lane('directory', ({ turn }) => {
      turn.providerToolOutputSnippet = 'FAKE_PLUGIN_OK fake_plugin_tool_01 {}'
    }),
    'nothing ran': lane('tools', (each) => (each.ran = {})),
  },
  'direct-shows-the-schema': {
    'the target is missing': lane('direct', ({ turn, target }) => {
      turn.providerDeclaredTools = turn.providerDeclaredTools.filter((name) => name !== target)
    }),
    'most tools are missing': lane('direct', ({ turn }) => (turn.providerDeclaredToolCount = 4)),
    'a control is there': lane('direct', ({ turn }) => turn.providerDeclaredTools.push('tool_search')),
  },
  'tool-search-shows-only-controls': {
    'the schema of the target is there': lane('code', ({ turn, target }) => {
      turn.providerDeclaredTools.push(target)
      turn.providerDeclaredToolCount += 1
    }),
    'a control is missing': lane('tools', ({ turn }) => {
      turn.providerDeclaredTools = turn.providerDeclaredTools.filter((name) => name !== 'tool_describe')
    }),
    'the direct-only tool is missing': lane('code', ({ turn }) => {
      turn.providerDeclaredTools = ['tool_search_code']
    }),
    'directory mode shows everything': lane('directory', ({ turn }) => (turn.providerDeclaredToolCount = 40)),
  },
  'directory-names-tools': {
    'there is no directory': lane('directory', ({ turn }) => (turn.hasDirectory = false)),
    'the target is not in it': lane('directory', ({ turn }) => (turn.directoryNamesTarget = false)),
    'direct mode has one': lane('direct', ({ turn }) => (turn.hasDirectory = true)),
    'the prompt of tools mode names the tool': lane(
      'tools',
      ({ turn }) => (turn.directoryNamesTarget = true),
    ),
  },
  'payload-is-smaller': {
    'code mode sends as many bytes': ({ lanes }) => swap(lanes.code.turn, lanes.direct.turn),
    'tools mode sends as many schemas': ({ lanes }) => {
      lanes.tools.turn.providerDeclaredToolCount = lanes.direct.turn.providerDeclaredToolCount
    },
    'directory mode sends more bytes of schemas': ({ lanes }) => {
      lanes.directory.turn.providerToolBytes = lanes.direct.turn.providerToolBytes + 1
    },
    'nothing was sent': ({ lanes }) => (lanes.code.turn.providerRawBytes = 0),
  },
  'large-payload-is-smaller': {
    'code mode sends as many bytes': ({ large }) => swap(large.code.turn, large.direct.turn),
    'the schemas of tools mode grow with the catalogue': ({ large }) =>
      (large.tools.turn.providerToolBytes += 1),
  },
  'log-shows-the-calls': {
    'there is no call': lane('direct', ({ log }) => (log.finalCalls = [])),
    'there are two': lane('code', ({ log }) => log.finalCalls.push(...log.finalCalls)),
    'it is another tool': lane('tools', ({ log }) => {
      for (const call of log.finalCalls) call.name = 'fake_plugin_tool_01'
    }),
    'it failed': lane('tools', ({ log }) => {
      for (const call of log.finalCalls) call.status = 'error'
    }),
    'it was made in another way': lane('code', ({ log }) => {
      for (const call of log.finalCalls) call.via = 'direct'
    }),
    'the tool is not mentioned': lane('directory', ({ log }) => (log.targetMentions = 0)),
    'the control is not mentioned': lane('code', ({ log }) => (log.controlMentions = 0)),
    'a control is mentioned in direct mode': lane('direct', ({ log }) => (log.controlMentions = 1)),
  },
  'log-shows-the-bridge': {
    'the telemetry is missing': lane('tools', ({ log }) => (log.mode = 'none')),
    'no search was counted': lane('code', ({ log }) => (log.searches = 0)),
    'no call was counted': lane('tools', ({ log }) => (log.calls = 0)),
    'what was sent is not said': lane('direct', ({ log }) => (log.sent = null)),
    'it says another number of schemas': lane('code', ({ log }) => {
      if (log.sent !== null) log.sent.tools += 1
    }),
    'it says that nothing was deferred': lane('code', ({ log }) => {
      if (log.sent !== null) log.sent.deferred = 0
    }),
  },
  'provenance-is-known': {
    'the owner is another plugin': lane('code', ({ effective }) => (effective.pluginId = 'other')),
    'it counts as a core tool': lane('direct', ({ effective }) => (effective.source = 'core')),
    'it counts as direct in code mode': lane('code', ({ effective }) => (effective.exposure = 'direct')),
  },
  'denied-is-not-effective': {
    'it is listed': lane('tools', ({ effective }) => (effective.listsDenied = true)),
    'no step is named': lane('tools', ({ effective }) => (effective.hiddenStep = null)),
  },
  'denied-has-no-schema': {
    'a request has it': lane('direct', ({ turn }) => turn.providerDeclaredTools.push('fake_plugin_denied')),
  },
  'denied-directly': reaches('direct'),
  'denied-by-search': {
    ...reaches('search'),
    'the search found it': attempt('search', (each) => (each.toolOutput = `[{ "id": "${deniedId}" }]`)),
  },
  'denied-by-describe': {
    ...reaches('describe'),
    'its schema was shown': attempt('describe', (each) => (each.toolOutput = '{ "parameters": {} }')),
    'its description was shown': attempt('describe', (each) => {
      each.toolOutput = 'Fake tool that the config denies.'
    }),
  },
  'denied-by-call': reaches('call'),
  'denied-in-code': {
    ...reaches('code'),
    'the program found it': attempt('code', (each) => (each.toolOutput = deniedId)),
  },
  'denied-in-code-by-id': reaches('code-by-id'),
  'denied-over-http': {
    'it ran': lane('direct', ({ http }) => (http.denied = outside)),
    'the status is another one': lane('code', ({ http }) => (http.denied.status = 403)),
    'nothing can be called': lane('tools', ({ http }) => (http.target = http.denied)),
  },
  'denied-over-rpc': {
    'it ran': lane('direct', ({ rpc }) => (rpc.denied = outside)),
    'the code is another one': lane('code', ({ rpc }) => (rpc.denied.code = 'forbidden')),
    'nothing can be called': lane('tools', ({ rpc }) => (rpc.target = rpc.denied)),
  },
  'denied-never-ran': {
    'it ran behind everybody’s back': lane('directory', ({ ran }) => (ran['fake_plugin_denied'] = 1)),
  },
  'block-is-reported': {
    'the blocked tool ran': lane('code', ({ blocked }) => (blocked.ran = 1)),
    'it ran for a caller': lane('code', ({ ran }) => (ran['fake_plugin_blocked'] = 1)),
    'the model is not told why': lane('tools', ({ blocked }) => (blocked.toolOutput = 'Error')),
    'http says that it ran': lane('direct', ({ http }) => (http.blocked = outside)),
    'rpc gives no reason': lane('direct', ({ rpc }) => (rpc.blocked.message = 'no')),
  },
  'approval-is-reported': {
    'the guarded tool ran': lane('directory', ({ guarded }) => (guarded.ran = 1)),
    'the model is not told why': lane('code', ({ guarded }) => (guarded.toolOutput = 'Error')),
    'http does not say that a yes is missing': lane('direct', ({ http }) => {
      http.guarded.requiresApproval = false
    }),
    'rpc says that it ran': lane('tools', ({ rpc }) => (rpc.guarded = outside)),
  },
  'gateway-ends-cleanly': {
    'it was killed': lane('code', (each) => (each.exitCode = null)),
    'it crashed': lane('tools', (each) => (each.exitCode = 1)),
  },
}

describe('tool-search-gateway-e2e', () => {
  testChecks(toolSearchChecks, evidenceOf<ToolSearchEvidence>('tool-search-gateway-e2e'), toolSearchExamples)
})

describe('policy-by-sender-and-group', () => {
  testChecks(senderChecks, evidenceOf<SenderEvidence>('policy-by-sender-and-group'), {
    'known-sender-has-the-tool': {
      'it is hidden': ({ owner }) => Object.assign(owner, { verdict: 'hidden', step: 'sender.deny' }),
    },
    'other-sender-has-not': {
      'it is visible': ({ guest }) => Object.assign(guest, { verdict: 'visible', step: null }),
      'another step is blamed': ({ guest }) => (guest.step = 'tools.deny'),
    },
    'no-sender-has-not': { 'it is visible': ({ nobody }) => (nobody.verdict = 'visible') },
    'group-hides-the-tool': {
      'the Gateway lists it': ({ guests }) => guests.effective.push('fake_plugin_tool_01'),
      'another step is blamed': ({ inGuests }) => (inGuests.step = 'sender.deny'),
    },
    'other-group-has-the-tool': {
      'the Gateway does not list it': ({ ops }) => (ops.effective = []),
      'it cannot be called': ({ ops }) => (ops.forGroup.ok = false),
    },
    'model-is-offered-the-same': {
      'the model is offered less': ({ ops }) => (ops.offered = []),
      'the model is offered more': ({ guests }) => guests.offered.push('fake_plugin_tool_01'),
    },
    'group-holds-outside': { 'the call runs': ({ guests }) => (guests.forGroup = outside) },
    'claims-in-a-message-change-nothing': {
      'the model is offered the tool': ({ ops }) => ops.offered.push('fake_plugin_tool_02'),
    },
    'claims-in-a-body-change-nothing': { 'the call runs': (draft) => (draft.claimed = outside) },
    'only-allowed-tools-ran': {
      'the tool of the owner ran': ({ ran }) => (ran['fake_plugin_tool_02'] = 1),
      'nothing ran': (draft) => (draft.ran = {}),
    },
  } satisfies CounterExamples<SenderEvidence>)
})

describe('mcp-server-dies', () => {
  testChecks(mcpDeathChecks, evidenceOf<McpDeathEvidence>('mcp-server-dies'), {
    'server-answers': { 'it does not': ({ before }) => (before.text = 'There is no tool lab__echo.') },
    'death-is-reported': {
      'the call counts as well done': ({ results }) => {
        for (const each of results) each.isError = false
      },
      'the call has no result': ({ results }) => results.splice(0),
    },
    'turn-goes-on': {
      'it ends with an error': ({ during }) => (during.status = 502),
      'the model is not told': ({ during }) => (during.text = ''),
    },
    'neighbour-is-unharmed': {
      'it fails, too': ({ results }) => {
        for (const each of results) each.isError = true
      },
    },
    'server-is-started-again': {
      'it stays away': ({ after }) => (after.text = 'lab__echo: it has ended'),
      'it never died': (draft) => (draft.starts = 1),
    },
    'transcript-is-whole': { 'a call has no result': (draft) => (draft.openCalls = 1) },
    'gateway-is-healthy': { 'it is not': (draft) => (draft.healthy = false) },
    'no-orphans': { 'one is left': (draft) => (draft.orphans = 1) },
  } satisfies CounterExamples<McpDeathEvidence>)
})

describe('approval-round-trip', () => {
  testChecks(approvalChecks, evidenceOf<ApprovalEvidence>('approval-round-trip'), {
    'http-call-waits': {
      'it runs': ({ http }) => Object.assign(http, { end: outside, ran: 1 }),
      'it runs and says otherwise': ({ http }) => (http.ran = 1),
      'the status is another one': ({ http }) => (http.end.status = 500),
    },
    'rpc-call-waits': {
      'it runs': ({ rpc }) => (rpc.end = outside),
      'the code is another one': ({ rpc }) => (rpc.end.code = 'forbidden'),
    },
    'question-is-listed': { 'it is not': (draft) => (draft.listed = []) },
    'yes-runs-it-once': {
      'the yes is refused': (draft) => (draft.cliExitCode = 1),
      'it does not run': ({ allowed }) => (allowed.end.ok = false),
      'it runs twice': ({ again }) => Object.assign(again, { end: outside, ran: 2 }),
    },
    'yes-is-for-its-arguments': { 'it is for any': ({ otherArgs }) => (otherArgs.end = outside) },
    'waiting-call-goes-on': { 'it does not run': ({ confirmed }) => (confirmed.ran = 1) },
    'refused-call-ends': {
      'it runs': ({ refused }) => Object.assign(refused, { end: outside, ran: 3 }),
      'it runs and says otherwise': ({ refused }) => (refused.ran = 3),
    },
    'turn-waits-and-goes-on': {
      'the tool does not run': ({ turn }) => (turn.ran = 2),
      'the model gets no result': ({ turn }) => (turn.text = 'denied'),
    },
  } satisfies CounterExamples<ApprovalEvidence>)
})

describe('config-hot-reload', () => {
  testChecks(reloadChecks, evidenceOf<ReloadEvidence>('config-hot-reload'), {
    'tool-is-there-first': { 'it is not offered': ({ start }) => (start.offered = []) },
    'deny-takes-effect': {
      'the tool is offered still': ({ denied, start }) => (denied.offered = start.offered),
      'a call runs still': ({ denied }) => (denied.call = outside),
      'the revision is the same': ({ denied, start }) => (denied.revision = start.revision),
    },
    'broken-file-keeps-the-last': {
      'nothing says so': ({ broken }) => (broken.problem = null),
      'the rules are gone': ({ broken }) => (broken.call = outside),
    },
    'invalid-file-keeps-the-last': {
      'the key is not named': ({ invalid }) => (invalid.problem = 'the config is invalid'),
      'the rules are gone': ({ invalid }) => (invalid.call = outside),
    },
    'mended-file-takes-effect': {
      'the tool stays away': ({ mended }) => (mended.offered = []),
      'the problem stays': ({ mended }) => (mended.problem = 'still'),
    },
    'tool-search-takes-effect': {
      'it does not': ({ searching, start }) => (searching.offered = start.offered),
    },
    'one-process': { 'there were two': (draft) => (draft.pidsSame = false) },
  } satisfies CounterExamples<ReloadEvidence>)
})

describe('provider-faults', () => {
  testChecks(faultChecks, evidenceOf<FaultEvidence>('provider-faults'), {
    'passing-faults-are-survived': {
      'one ends the turn': ({ passing }) => {
        for (const each of passing) each.status = 502
      },
      'the tool ran twice': ({ passing }) => {
        for (const each of passing) each.ran = 2
      },
      'some were not tried': ({ passing }) => passing.splice(1),
    },
    'provider-is-asked-again': {
      'it was not': ({ passing }) => {
        for (const each of passing) each.requests = 2
      },
    },
    'no-call-is-made-twice': { 'it is': ({ afterCall }) => (afterCall.ran = 2) },
    'malformed-arguments-are-told': {
      'the tool ran': ({ malformed }) => (malformed.ran = 1),
      'the model is not told': ({ malformed }) => (malformed.toolOutput = ''),
    },
    'unknown-tool-is-told': { 'the model is not told': ({ unknownTool }) => (unknownTool.toolOutput = '') },
    'refusal-is-reported': {
      'it counts as an answer': ({ refused }) => (refused.status = 200),
      'the provider was asked again': ({ refused }) => (refused.requests = 4),
    },
    'session-goes-on': {
      'the last turn fails': ({ last }) => (last.status = 502),
      'the Gateway is not healthy': (draft) => (draft.healthy = false),
    },
    'transcript-is-whole': { 'a call has no result': (draft) => (draft.openCalls = 1) },
    'key-stays-secret': { 'it is shown': (draft) => (draft.leaksKey = true) },
  } satisfies CounterExamples<FaultEvidence>)
})

describe('ten-thousand-tools', () => {
  testChecks(largeChecks, evidenceOf<LargeEvidence>('ten-thousand-tools'), {
    'tool-is-found': {
      'it is not': (draft) => (draft.text = 'No tool fake_plugin_tool_7331 was found.'),
      'the search is left out': (draft) => (draft.planned = ['tool_call']),
      'it ran too often': (draft) => (draft.ran = { fake_plugin_tool_7331: 3 }),
    },
    'all-tools-are-known': { 'some are not': (draft) => (draft.effectiveTools = 9_999) },
    'request-stays-small': {
      'it does not': (draft) => (draft.requestBytes = 1_000_000),
      'it has a schema': (draft) => draft.declaredTools.push('fake_plugin_tool_01'),
    },
    'search-answer-is-bounded': {
      'it is not': (draft) => (draft.searchOutputChars = 1_000_000),
      'there is none': (draft) => (draft.searchOutputChars = 0),
    },
    'turns-are-in-time': { 'they are not': (draft) => (draft.firstTurnMs = 60_000) },
    'memory-is-bounded': { 'it is not': (draft) => (draft.peakBytes = 2 ** 31) },
  } satisfies CounterExamples<LargeEvidence>)
})
