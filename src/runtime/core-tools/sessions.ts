import { randomUUID } from 'node:crypto'
import { SessionDesk } from '../../tools/sessions/desk.ts'
import type { RunTurn } from '../../tools/sessions/turns.ts'
import type { SystemEvents } from '../../tools/system-events.ts'
import type { ToolServices } from '../../tools/options.ts'
import type { RuntimeHost } from '../gateway/host.ts'
import type { ToolSessionOptions } from '../tool-session.ts'

/** Turns of other sessions within one run of the command line: they share its config, approvals and output, and end with it. */
export function localSessions(
  root: ToolSessionOptions,
  events: SystemEvents,
  services: () => ToolServices,
): SessionDesk {
  const { options, tell, dial, prompt, yes, code } = root
  const runTurn: RunTurn = async ({ agentId, sessionKey, text, owner, bounds, signal, runId }) => {
    const { answerMessage } = await import('../agent.ts')
    const { set, unset } = root.query
    // Nothing else of the first run: an order that its sender gave, or a file that it reads, is not for other sessions.
    const answer = await answerMessage({
      options,
      prompt,
      yes,
      code,
      tell,
      query: {
        request: { agentId, sessionKey, ...(!owner && { isOwner: false }), ...bounds },
        ...(set && { set }),
        ...(unset && { unset }),
      },
      dial: { ...dial, signal },
      services: services(),
      runId,
      text,
      emit: () => {},
    })
    for (const { command } of answer.pending) tell(`${sessionKey} waits for an approval: ${command}`)
    return answer
  }
  return new SessionDesk({ runTurn, events, clock: Date.now, tell, signal: dial.signal, isOneRun: true })
}

/** Turns of other sessions in a running Gateway; they outlive the run that asked for them. */
export function gatewaySessions(host: RuntimeHost, events: SystemEvents): SessionDesk {
  const runTurn: RunTurn = ({ text, ...turn }) =>
    host.agent.run({ runId: randomUUID(), ...turn, message: text, stream: false, emit: () => {} })
  return new SessionDesk({
    runTurn,
    events,
    clock: Date.now,
    tell: (text) => host.parts.tell(text),
    signal: host.closing,
    isOneRun: false,
  })
}
