import { redactedSentinel, redactText } from '../config/redact.ts'
import type { ScenarioResult } from './run-scenario.ts'
import type { LaneRatio, SuiteSummary } from './summary.ts'

/** The text without secrets: those that are known, and what looks like one. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return redactText(secrets.reduce((rest, secret) => rest.replaceAll(secret, redactedSentinel), text))
}

/** The report for people, as Markdown. */
export function renderReport(summary: SuiteSummary): string {
  const { run, metrics, counts } = summary
  const head = [
    '# OpenClaw QA Scenario Suite',
    '',
    `- Started: ${run.startedAt}`,
    `- Finished: ${run.finishedAt}`,
    `- Duration ms: ${metrics.wallMs}`,
    `- Passed: ${counts.passed}`,
    `- Failed: ${counts.failed}`,
    ...(counts.skipped > 0 ? [`- Skipped: ${counts.skipped}`] : []),
    `- Provider: ${run.providerMode}, model ${run.primaryModel}`,
    `- Program: openclaw ${run.version}, Node ${run.node}, ${run.platform}`,
  ]
  const parts = [
    head.join('\n'),
    ...payloadPart(summary),
    ...timePart(summary),
    ['## Scenarios', ...summary.scenarios.map(scenarioPart)].join('\n\n'),
    timelinePart(summary),
    notesPart(summary),
  ]
  return `${parts.join('\n\n')}\n`
}

/** A table in Markdown; numbers stand at the right. */
function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const shown = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? grouped(cell) : escaped(cell))),
  )
  const right = header.map((_, column) =>
    rows.every((row) => typeof row[column] === 'number' || row[column] === '–'),
  )
  const widths = header.map((name, column) =>
    Math.max(3, name.length, ...shown.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .map((cell, column) =>
        right[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join(' | ')} |`
  const rule = widths.map((width, column) =>
    right[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [line(header), line(rule), ...shown.map(line)].join('\n')
}

/** A number with its thousands apart, as people read it. */
function grouped(value: number): string {
  const [whole = '', fraction] = String(value).split('.')
  const parts = whole.replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, ',')
  return fraction === undefined ? parts : `${parts}.${fraction}`
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function payloadPart({ payload }: SuiteSummary): readonly string[] {
  if (payload.length === 0) return []
  const direct = new Map(
    payload.flatMap((row) =>
      row.lane === 'direct' ? [[`${row.scenario} ${row.catalogue}`, row.requestBytes] as const] : [],
    ),
  )
  const rows = payload.map((row) => {
    const whole = direct.get(`${row.scenario} ${row.catalogue}`)
    const share = whole === undefined ? '–' : `${Math.round((row.requestBytes / whole) * 1000) / 10} %`
    const { catalogue, lane, declaredTools, toolBytes, systemPromptBytes, requestBytes } = row
    return [catalogue, lane, declaredTools, toolBytes, systemPromptBytes, requestBytes, share]
  })
  const header = [
    'Catalogue',
    'Lane',
    'Schemas',
    'Schema bytes',
    'Prompt bytes',
    'Request bytes',
    'Of direct',
  ]
  return [
    '## What the model was sent\n\nThe first request of one turn, as the provider received it.',
    table(header, rows),
  ]
}

function timePart({ metrics }: SuiteSummary): readonly string[] {
  const { lanes, perLane, emptyNodeMs } = metrics
  if (lanes.length === 0) return []
  const rows = lanes.map(({ scenario, lane, wallMs, timesEmptyNode, cpuMs, peakBytes }: LaneRatio) => [
    scenario,
    lane,
    Math.round(wallMs),
    timesEmptyNode,
    cpuMs ?? '–',
    peakBytes === null ? '–' : Math.round(peakBytes / 1024 / 1024),
  ])
  const header = ['Scenario', 'Lane', 'Milliseconds', 'Times node -e 0', 'CPU of the Gateway', 'Peak MiB']
  const shares = perLane.map(
    (share) =>
      `- ${share.scenario}: ${share.lanes} lanes, ${grouped(Math.round(share.wallMs))} ms each of the whole wall time, ${share.timesEmptyNode} times \`node -e 0\``,
  )
  const text = `From the start of a Gateway to its end, against \`node -e 0\` right before and after (${emptyNodeMs} ms). Lanes may run at the same time, other scenarios do not.`
  return [`## How long it took\n\n${text}`, shares.join('\n'), table(header, rows)]
}

function scenarioPart({ id, name, status, wallMs, steps, details }: ScenarioResult): string {
  const lines = [
    `### ${id}`,
    '',
    `${name}.`,
    '',
    `- Status: ${status}`,
    `- Duration ms: ${wallMs}`,
    '- Steps:',
    ...steps.flatMap((step) => [
      `  - [${step.status === 'pass' ? 'x' : ' '}] ${step.name}${step.ms > 0 ? ` (${step.ms} ms)` : ''}`,
      ...(step.details === undefined ? [] : [`    ${step.details.replaceAll('\n', '\n    ')}`]),
    ]),
  ]
  if (details === undefined) return lines.join('\n')
  const shown = details.includes('\n') ? ['- Details:', '', fenced(details)] : [`- Details: ${details}`]
  return [...lines, ...shown].join('\n')
}

/** A block of text that no back-ticks in it can end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

function timelinePart({ scenarios, run }: SuiteSummary): string {
  const begun = Date.parse(run.startedAt)
  const lines = scenarios
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .map(({ id, startedAt, wallMs, status }) => {
      const from = Date.parse(startedAt) - begun
      return `- ${from} ms – ${from + wallMs} ms: ${id} (${status})`
    })
  return ['## Timeline', '', ...lines].join('\n')
}

function notesPart({ run }: SuiteSummary): string {
  return [
    '## Notes',
    '',
    `- Scenarios at the same time: ${run.concurrency}.`,
    '- Every scenario had a home of its own; all processes it started and all its files are gone.',
    '- `qa-evidence.json` holds what the checks were judged by, `qa-suite-summary.json` this report for programs.',
  ].join('\n')
}
