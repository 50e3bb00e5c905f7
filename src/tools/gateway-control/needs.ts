import type { NeedChecks } from '../need.ts'

/** What the tools about the program lack; they work wherever there is a config of this machine, as far as one machine goes. */
export const gatewayNeeds: NeedChecks = {
  gateway: () => null,
  nodes: () => null,
  plugins: () => null,
  openclaw: () => null,
}
