import type { SandboxExplanation } from '../../runtime/sandbox-explain.ts'
import type { Ui } from '../base-command.ts'
import { formatLocation } from './place.ts'
import { renderTable } from './table.ts'

type Row = readonly [name: string, value: string]

/** Renders `sandbox explain`: where the session's tools run, which it has, and who may leave, one below the other. */
export function renderSandbox(answer: SandboxExplanation, ui: Ui): string {
  const { theme } = ui
  const { sessionKey, mainSessionKey, sandbox, elevated, fixIt } = answer
  const where = sandbox.sessionIsSandboxed ? theme.good('sandboxed') : theme.caution('not sandboxed')
  const main = sessionKey === mainSessionKey ? '' : theme.faint(` (the main session is ${mainSessionKey})`)
  const section = (title: string, rows: readonly Row[]): string[] => [
    '',
    theme.heading(title),
    table(rows, ui),
  ]
  return [
    `${theme.name(sessionKey)} is ${where}: ${sandbox.because}${main}`,
    ...section('Sandbox: where tools run', sandboxRows(sandbox)),
    ...section('Policy: which tools there are', policyRows(answer, ui)),
    ...section('Elevated: who may leave the sandbox by exec', elevatedRows(elevated)),
    ...section('Exec: what that comes to', execRows(answer, ui)),
    ...(fixIt.length > 0 ? [''] : []),
    ...fixIt.map((fix) => `${theme.good('try:')} ${fix}`),
  ].join('\n')
}

function table(rows: readonly Row[], ui: Ui): string {
  return renderTable([{ title: '' }, { title: '' }], rows, {
    width: Number.MAX_SAFE_INTEGER,
    titles: false,
    indent: '  ',
    heading: ui.theme.faint,
  })
}

function sandboxRows(sandbox: SandboxExplanation['sandbox']): Row[] {
  const { available, tools, limits } = sandbox
  const { allow, deny, sources } = tools
  const list = (
    names: readonly string[],
    { source, key }: { readonly source: string; readonly key: string },
  ): string =>
    `${names.length > 0 ? names.join(', ') : '(none)'}  [${source === 'default' ? 'built in' : key}]`
  return [
    ['mode', sandbox.mode],
    ['scope', sandbox.scope],
    ['backend', `${sandbox.backend}${backendWords(available)}`],
    ['workspace', `${sandbox.workspaceAccess}${sandbox.workspace === null ? '' : `  ${sandbox.workspace}`}`],
    ['network', sandbox.network ? 'on' : 'off'],
    ['limits', limitWords(limits, available?.limitedBy ?? null)],
    ['allow', list(allow, sources.allow)],
    ['deny', list(deny, sources.deny)],
  ]
}

function backendWords(available: SandboxExplanation['sandbox']['available']): string {
  if (available === null) return ''
  return available.backend === null
    ? `, none works: ${available.reason ?? ''}`
    : `, ${available.backend} works`
}

function limitWords(
  { processes, memoryMb, tmpMb, fileMb }: SandboxExplanation['sandbox']['limits'],
  by: NonNullable<SandboxExplanation['sandbox']['available']>['limitedBy'],
): string {
  const each = by?.memory === 'process' ? ' each' : ''
  const free = by !== null && by.processes === null ? ' (not enforced: root, and no cgroup can be made)' : ''
  return `${processes} processes${free}, ${memoryMb} MiB memory${each}, ${tmpMb} MiB /tmp, ${fileMb} MiB a file`
}

function policyRows({ policy }: SandboxExplanation, ui: Ui): Row[] {
  return policy.tools.map(({ tool, verdict, decidedBy, needs }) => {
    const place = decidedBy?.location ? ` (${formatLocation(decidedBy.location, ui.cwd)})` : ''
    const why = decidedBy === null ? '' : ` by ${decidedBy.step}: ${decidedBy.reason}${place}`
    return [tool, `${verdict}${why}${needs === null ? '' : `, needs ${needs}`}`]
  })
}

function elevatedRows(elevated: SandboxExplanation['elevated']): Row[] {
  const { enabled, channel, sender, allowFrom, level, sessionLevel, noEffect, failures } = elevated
  const list = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : '(none)')
  const allowed =
    failures.length === 0 ? 'yes' : `no: ${failures.map(({ gate, key }) => `${gate} (${key})`).join(', ')}`
  return [
    ['enabled', enabled ? 'yes' : 'no'],
    ['channel', channel ?? '(unknown)'],
    ['sender', sender ?? '(unknown)'],
    [
      'allowFrom',
      `${list(allowFrom.global)}${allowFrom.agent === null ? '' : `; of the agent: ${list(allowFrom.agent)}`}`,
    ],
    ['allowed', allowed],
    [
      'level',
      `${level}${sessionLevel === null || sessionLevel === level ? '' : ` (the session keeps ${sessionLevel})`}`,
    ],
    ...(noEffect === null ? [] : [['no effect', noEffect] as const]),
  ]
}

function execRows({ exec }: SandboxExplanation, ui: Ui): Row[] {
  const { configuredHost, host, because, mode, security, ask, sources, applies, approvals } = exec
  const places = { sandbox: 'in the sandbox', gateway: 'on this machine', node: 'on a node' }
  const from = ({ source, key, location }: SandboxExplanation['exec']['sources']['host']): string => {
    if (source === 'default') return '[built in]'
    if (source === 'exec-approvals') return `[${key} in ${approvals?.file ?? 'exec-approvals.json'}]`
    return `[${key}${location === null ? '' : `, ${formatLocation(location, ui.cwd)}`}]`
  }
  return [
    ['tools.exec.host', `${configuredHost} ${from(sources.host)}`],
    ['runs', host === null ? `nowhere: ${because ?? ''}` : places[host]],
    ['mode', `${mode} ${from(sources.mode)}${applies ? '' : ', for what leaves the sandbox'}`],
    ['security', `${security} ${from(sources.security)}`],
    ['ask', `${ask} ${from(sources.ask)}`],
    ...(approvals === null || approvals.problem === null ? [] : [['approvals', approvals.problem] as const]),
  ]
}
