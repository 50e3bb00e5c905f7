import type { NeedChecks, UnmetNeed } from '../need.ts'

const client: UnmetNeed = {
  needs: 'a client that shows suggestions and questions to a person',
  path: null,
  hints: ['ask in your answer instead'],
}

const credentials: UnmetNeed = {
  needs: 'a client in which a person can type credentials that the model never sees',
  path: null,
  hints: ['put the secret into the environment, and ${NAME} into the config'],
}

/** What tools about sessions and people lack: neither the command line nor the Gateway has a place where a person would see these. */
export const missing: Readonly<Record<string, UnmetNeed>> = {
  suggest_task: client,
  dismiss_task: client,
  ask_user: client,
  secrets: credentials,
}

export const sessionNeeds: NeedChecks = Object.fromEntries(
  Object.entries(missing).map(([name, need]) => [name, () => need]),
)
