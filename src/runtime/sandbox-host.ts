import { getegid, geteuid, platform } from 'node:process'
import { stdinFile } from '../config/find.ts'
import { resolveElevated } from '../tools/elevated/resolve.ts'
import type { SandboxHost } from '../tools/sandbox/backend.ts'
import type { PlacesOptions } from '../tools/sandbox/places.ts'
import type { View } from '../policy/view.ts'
import type { Case } from './case.ts'
import { elevatedContext, keptLevel, type ElevatedTurn } from './elevated.ts'

/** This machine as sandboxes are made on it; null for a config that is not on this machine. */
export function sandboxHost({ loaded, env }: Case): SandboxHost | null {
  if (loaded === null) return null
  const { stateDir, home, file, documents } = loaded
  const configFiles = [...new Set([file, ...documents.keys()])].filter((each) => each !== stdinFile)
  return {
    stateDir,
    homeDir: home,
    configFiles,
    env,
    platform,
    uid: geteuid?.() ?? 0,
    gid: getegid?.() ?? 0,
  }
}

/** Who is in a session and what was said of elevated, as exec asks it; the store is read only for whoever could have it. */
export function elevatedSource(each: Case, view: () => View, turn: ElevatedTurn): PlacesOptions['elevated'] {
  return async () => {
    const now = view()
    const context = elevatedContext(now, turn)
    if (!resolveElevated(now.config, context).allowed) return { context, words: {} }
    return { context, words: { directive: turn.level, session: await keptLevel(each, now) } }
  }
}
