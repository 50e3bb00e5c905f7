import type { NeedChecks, UnmetNeed } from '../need.ts'

const suggestions: UnmetNeed = {
  needs: 'a client that shows suggestions to a person',
  path: null,
  hints: ['suggest it in your answer instead'],
}

/** What tools that are about a person lack where nobody sees what they have to say. */
export const missing = {
  suggest_task: suggestions,
  dismiss_task: suggestions,
  ask_user: {
    needs: 'a person at a terminal',
    path: null,
    hints: ['openclaw agent --message TEXT, from a terminal', 'ask in your answer instead'],
  },
  secrets: {
    needs: 'a client in which a person can type credentials that the model never sees',
    path: null,
    hints: ['put the secret into the environment, and ${NAME} into the config'],
  },
} as const satisfies Readonly<Record<string, UnmetNeed>>

/** The needs of the tools about sessions and people. */
export const sessionNeeds: NeedChecks = {
  suggest_task: () => missing.suggest_task,
  dismiss_task: () => missing.dismiss_task,
  ask_user: ({ services }) => (services?.has('askUser') === true ? null : missing.ask_user),
  secrets: () => missing.secrets,
}
