import { browserShelf } from '../../tools/browser/shelf.ts'
import { commandHost } from '../../tools/commands/host.ts'
import type { ToolServices } from '../../tools/options.ts'
import type { RuntimeHost } from '../gateway/host.ts'
import type { ToolSessionOptions } from '../tool-session.ts'
import { GatewayAutomation } from './automation.ts'
import { programControl } from './gateway.ts'
import { keptEvents } from './kept-events.ts'
import { gatewaySessions, localSessions } from './sessions.ts'
import { systemEvents } from './system-events.ts'

/** What a program that serves one run, or one call, offers to its tools. */
export function localServices(session: ToolSessionOptions, lasts: 'call' | 'run' = 'run'): ToolServices {
  const events = systemEvents()
  const services: ToolServices = {
    systemEvents: events,
    sessions: localSessions(session, events, () => services),
    ...(session.askUser && { askUser: session.askUser }),
    processes: commandHost(lasts),
    control: programControl(session.options, session.dial.version, null),
  }
  return services
}

/** What a running Gateway offers to the tools of all its sessions. */
export function gatewayServices(host: RuntimeHost): ToolServices {
  const events = keptEvents(
    () => host.state.stateDir,
    (text) => host.parts.tell(text),
  )
  const sessions = gatewaySessions(host, events)
  return {
    systemEvents: events,
    sessions,
    automation: new GatewayAutomation(host, events, (sessionKey) => sessions.isRunning(sessionKey)),
    processes: commandHost('program'),
    browsers: browserShelf(),
    control: programControl(host.options, host.version, host),
  }
}
