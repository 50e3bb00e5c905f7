import type { ToolServices } from '../options.ts'
import type { Command } from './command.ts'
import type { Afterlife } from './registry.ts'
import { lastPart, outputText } from './output-text.ts'
import { commandLine, endNotes } from './report.ts'
import type { CommandSettings } from './settings.ts'

/** Characters of output that a message about an end carries. */
const shownLength = 400

/** How a command lives on in the background: its session is told of its end, unless it is waiting for that at this moment. */
export function followUp(
  command: Command,
  settings: CommandSettings,
  { systemEvents }: ToolServices,
): Afterlife {
  const { cleanupMs, notifyOnExit, notifyOnExitEmptySuccess } = settings
  return {
    cleanupMs,
    onEnd: () => {
      const isKnown = command.isWatched || command.reason === 'killed' || command.reason === 'aborted'
      if (!notifyOnExit || isKnown) return
      const isQuiet = command.status === 'completed' && command.output.total === 0
      if (isQuiet && !notifyOnExitEmptySuccess) return
      systemEvents?.push(command.facts.sessionKey, endNotice(command))
    },
  }
}

/** What a session is told when a background command has ended. */
function endNotice(command: Command): string {
  const { id } = command.facts
  const { text } = outputText(command.output, 0, false)
  const how = command.status === 'completed' ? ['(Command exited with code 0)'] : endNotes(command)
  const shown = lastPart(text.trim(), shownLength).replaceAll(/\s*\n\s*/g, ' | ')
  return [`Background command ${id} (${commandLine(command)}) has ended.`, ...how, shown]
    .filter((part) => part !== '')
    .join(' ')
}
