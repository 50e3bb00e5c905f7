import type { EditionId } from '../../../src/catalog/edition.ts'
import type { View } from '../../../src/policy/view.ts'
import { open, type Session } from './open.ts'

/** Plugins and servers in reach of the entries under test; two of the ids are also names of other things. */
export const inventory = {
  plugins: {
    browser: ['browser', 'browser_shot'],
    canvas: ['canvas'],
    'memory-core': ['memory_search', 'memory_get'],
    Ledger: ['Ledger_Read', { name: 'ledger_wipe', optional: true }],
    message: ['note_send'],
  },
  mcp: { github: ['create_issue', 'list_issues'], 'mail box': ['send'] },
  client: ['pick_file'],
  channel: [{ channelId: 'discord', name: 'discord_react' }],
  providers: { image: true, image_generate: true, video_generate: false, music_generate: false },
}

/** Judges a session of this inventory. */
export function view(session: Session): View {
  return open({ inventory, ...session }).view
}

/** Names of the tools an entry selects in one kind of list, as the matcher says. */
export function selected(entry: string, list: 'allow' | 'deny', edition: EditionId = '2026.7'): string {
  const { policy, inventory: known } = view({ edition })
  return known.tools
    .filter((tool) => policy.matches(entry, tool, list))
    .map((tool) => tool.name)
    .join(' ')
}

/** Names of the visible tools of a session. */
export function visible(session: Session): readonly string[] {
  return view(session).decisions.flatMap(({ tool, verdict }) => (verdict === 'visible' ? [tool.name] : []))
}
