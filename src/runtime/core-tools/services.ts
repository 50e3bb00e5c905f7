import type { ToolServices } from '../../tools/options.ts'
import { systemEvents } from './system-events.ts'
import type { RuntimeHost } from '../gateway/host.ts'

/** What a program that serves one run offers to its tools. */
export function localServices(): ToolServices {
  return { systemEvents: systemEvents() }
}

/** What a running Gateway offers to the tools of all its sessions. */
export function gatewayServices(_host: RuntimeHost): ToolServices {
  return { systemEvents: systemEvents() }
}
