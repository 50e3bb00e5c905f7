import type { View } from '../../policy/view.ts'
import type { CommandReviewer } from '../../tools/exec-approvals/review.ts'
import type { Case } from '../case.ts'

/** Asks the model that reviews commands: the one which `tools.exec.reviewer.model` names, else that of the session. Errors as a turn of an agent. */
export function commandReviewer(each: Case, view: () => View, cwd: string): CommandReviewer {
  return async ({ system, text, model }, signal) => {
    const { candidatesOf, modelRefs, readRef } = await import('../model-candidates.ts')
    const usual = model === null || !model.includes('/') ? modelRefs(each, view()) : []
    const refs = model === null ? usual : readRef(each.config, model, usual[0]?.provider ?? '')
    const [candidate] = candidatesOf(refs, () => each, { env: each.env, cwd }, 'review')
    if (candidate === undefined) throw new Error('no model reviews commands')
    const reviewer = await candidate.open()
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text }], timestamp: 0 }]
    const { message } = await reviewer.ask({ system, messages, tools: [], stream: false }, { signal })
    return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  }
}
