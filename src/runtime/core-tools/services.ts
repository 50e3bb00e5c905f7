import type { ToolServices } from '../../tools/options.ts'
import type { RuntimeHost } from '../gateway/host.ts'

/** What a program that serves one run offers to its tools. */
export function localServices(): ToolServices {
  return {}
}

/** What a running Gateway offers to the tools of all its sessions. */
export function gatewayServices(_host: RuntimeHost): ToolServices {
  return {}
}
