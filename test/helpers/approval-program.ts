import { ApprovalStore } from '../../src/calls/approvals/store.ts'
import type { ApprovalQuestion } from '../../src/calls/approvals/types.ts'

/*
 * Works on the approvals of a state directory in a process of its own: node approval-program.ts STATE-DIR WHAT
 *
 *   use       takes the yes to question 0 if it can, and prints `ran` or `no`
 *   decide    answers question 0 with a word of its own, and prints what came of it
 *   churn     asks, answers and uses questions without end; made to be killed
 */

/** The question with a number. */
export function question(at: number): ApprovalQuestion {
  return {
    tool: { id: 'openclaw:kit:wipe', name: 'wipe', source: 'openclaw' },
    args: { at },
    agentId: 'main',
    sessionKey: 'agent:main:main',
    wanted: [
      {
        pluginId: 'kit',
        title: 'Wipe?',
        description: '',
        severity: 'warning',
        timeoutMs: null,
        timeoutBehavior: 'deny',
      },
    ],
    schema: { type: 'object' },
  }
}

function work(store: ApprovalStore, what: string | undefined): string {
  const known = store.find(question(0))
  if (what === 'use') return known?.state === 'allowed' && store.use(known.id) ? 'ran' : 'no'
  if (what === 'decide') {
    try {
      return store.decide(known?.id ?? '', process.argv[4] === 'deny' ? 'deny' : 'allow-once').state
    } catch {
      return 'too late'
    }
  }
  process.stdout.write('ready\n')
  for (let at = 1; ; at++) {
    const { id } = store.ask(question(at))
    store.decide(id, at % 3 === 0 ? 'deny' : 'allow-once')
    if (at % 3 === 1) store.use(id)
  }
}

const [, program = '', stateDir, what] = process.argv
if (program.endsWith('approval-program.ts') && stateDir !== undefined) {
  process.stdout.write(`${work(new ApprovalStore(stateDir, Date.now), what)}\n`)
}
