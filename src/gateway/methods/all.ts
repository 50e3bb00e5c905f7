import type { Methods } from '../method.ts'
import { agentMethods } from './agent.ts'
import { approvalMethods } from './approvals.ts'
import { configMethods } from './config.ts'
import { serverMethods } from './server.ts'
import { sessionMethods } from './sessions.ts'
import { toolMethods } from './tools.ts'

/** Every method that clients can call. */
export const methods: Methods = {
  ...serverMethods,
  ...toolMethods,
  ...sessionMethods,
  ...configMethods,
  ...approvalMethods,
  ...agentMethods,
}
