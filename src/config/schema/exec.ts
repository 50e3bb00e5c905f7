import type { ObjectMarks } from './kit.ts'
import { amount, choice, flag, names, open, optional, record, strict, text, whole } from './kit.ts'

const modeAlone = {
  rule: 'exec-mode-alone',
  not: { required: ['mode'], anyOf: [{ required: ['security'] }, { required: ['ask'] }] },
} satisfies ObjectMarks

const fields = {
  host: choice(['auto', 'sandbox', 'gateway', 'node'], 'Where commands run.', {
    default: 'auto',
    words: { local: 'gateway', host: 'gateway', docker: 'sandbox', container: 'sandbox' },
  }),
  mode: choice(
    ['deny', 'allowlist', 'ask', 'auto', 'full'],
    'Security and ask in one word. Cannot be combined with either.',
  ),
  security: choice(['deny', 'allowlist', 'full'], 'Which commands may run.', {
    default: 'full',
    words: { allow: 'full', none: 'deny', whitelist: 'allowlist' },
  }),
  ask: choice(['off', 'on-miss', 'always'], 'When a command needs an approval.', {
    default: 'off',
    words: { never: 'off', false: 'off', true: 'always', on: 'always' },
  }),
  node: text('Node that runs commands when host is node.'),
  pathPrepend: names('Directories put in front of PATH.'),
  safeBins: names('Programs that may read stdin without an allowlist entry.'),
  safeBinTrustedDirs: names('Directories a safe program may come from.'),
  safeBinProfiles: record(open({}), 'Arguments a safe program may take.'),
  strictInlineEval: flag('Ask for an approval when a command carries code (-c, -e).'),
  commandHighlighting: flag('Highlight commands in approval prompts.'),
  reviewer: optional(
    strict({
      model: text('Model that reviews commands in mode auto.'),
      timeoutMs: whole('Time a review may take, in milliseconds.'),
      thinking: text('Thinking level of the reviewer.', { edition: '2026.9' }),
      fastMode: flag('Let the reviewer answer in fast mode.', { edition: '2026.9' }),
    }),
    'Model that reviews commands in mode auto.',
  ),
  backgroundMs: whole('Milliseconds after which a command goes on in the background.', { minimum: 0 }),
  timeoutSec: amount('Seconds a command may run.', {
    edition: '2026.7',
    instead: 'timeoutSeconds',
  }),
  timeoutSeconds: amount('Seconds a command may run.', {
    edition: '2026.9',
    instead: 'timeoutSec',
  }),
  grantExpiryDays: amount('Days after which a lasting approval ends.', { edition: '2026.9' }),
  cleanupMs: whole('Milliseconds a finished background command stays listed.'),
  notifyOnExit: flag('Tell the session when a background command ends.'),
  notifyOnExitEmptySuccess: flag('Tell it also when the command succeeded without output.'),
  applyPatch: optional(
    strict({
      enabled: flag('Offer apply_patch.', { default: true }),
      workspaceOnly: flag('Keep patches inside the workspace.', { default: true }),
      allowModels: names('Models that get apply_patch: id or provider/model. Empty means every model.'),
    }),
    'The apply_patch tool.',
  ),
}

const hints = { bash: 'tools.exec', profile: 'tools.profile', allow: 'tools.allow', deny: 'tools.deny' }
const noticeText = 'Milliseconds after which a waiting approval is announced.'

/** `tools.exec`: how commands run. It never makes a tool visible. */
export const globalExec = strict(
  { ...fields, approvalRunningNoticeMs: whole(noticeText, { minimum: 0, edition: '2026.9' }) },
  { ...modeAlone, title: 'Exec', misplaced: hints },
)

/** `agents.list[].tools.exec`: the same for one agent. */
export const agentExec = strict(
  { ...fields, approvalRunningNoticeMs: whole(noticeText, { minimum: 0 }) },
  { ...modeAlone, title: 'AgentExec', misplaced: hints },
)
