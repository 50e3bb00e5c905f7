import { jsonResult } from '../../calls/model-text.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { CoreTool } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { sessionRow } from './rows.ts'
import type { SessionShelf } from './store.ts'

/** `sessions`: label, pin, archive and groups of a session in sight; without a change it shows them. */
export function sessionsTool({ clock, services }: CodingToolOptions, shelf: SessionShelf): CoreTool {
  return {
    run: async ({ sessionKey, label, pinned, archived, groups }) => {
      const find = () => (typeof sessionKey === 'string' ? shelf.find(sessionKey) : shelf.own())
      const session = await find()
      const fields = {
        ...(label !== undefined && { label: typeof label === 'string' ? named(label) : null }),
        ...(typeof pinned === 'boolean' && { pinned }),
        ...(typeof archived === 'boolean' && { archived }),
        ...(Array.isArray(groups) && { groups: groups.map((group) => named(String(group))) }),
      }
      if (Object.keys(fields).length > 0) {
        shelf.requireOwn(session)
        await shelf.save(session, { updatedAt: session.entry.updatedAt ?? clock(), ...fields })
      }
      const isLive = services.sessions?.isRunning(session.key) ?? false
      return { result: jsonResult(sessionRow(await find(), isLive)) }
    },
  }
}

function named(text: string): string {
  const name = cleanLine(text, 100)
  if (name === '') throw new OpenClawError('INPUT_INVALID', 'a label or group needs a character that shows')
  return name
}
