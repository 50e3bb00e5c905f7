import { editionOfVersion, type EditionId } from '../kernel/edition-id.ts'
import { edition20267 } from './editions/2026-7.ts'
import { edition20269 } from './editions/2026-9.ts'

export type { EditionId }

/** A built-in tool as the catalogue lists it; `plugin` names the plugin that provides it at run time, if one does. */
export interface CatalogTool {
  readonly id: string
  readonly section: string
  readonly profiles: readonly string[]
  readonly description: string
  readonly plugin?: string
}

/** Everything that differs between editions of the system we stay compatible with, as data. */
export interface Edition {
  readonly id: EditionId
  readonly sections: readonly { readonly id: string; readonly label: string }[]
  readonly tools: readonly CatalogTool[]
  readonly groups: Readonly<Record<string, readonly string[]>>
  readonly profiles: Readonly<Record<string, readonly string[]>>
  /** Exact spellings that mean another tool; applied to entries and to tool names. */
  readonly aliases: Readonly<Record<string, string>>
  /** Exact names that stand for other tools in allow and deny lists of the pipeline only. */
  readonly policyRenames: Readonly<Record<string, readonly string[]>>
  /** Old names that mean nothing here; told to the user as a rename. */
  readonly renamedTools: Readonly<Record<string, string>>
  readonly sandbox: {
    readonly allow: readonly string[]
    readonly deny: readonly string[]
    /** Added to a non-empty sandbox allow list unless literally allowed or denied. */
    readonly imageTool: string
  }
  readonly subagent: {
    readonly always: readonly string[]
    readonly leafOnly: readonly string[]
    readonly explicitAllowLifts: boolean
    readonly defaultMaxSpawnDepth: number
  }
  readonly ownerOnly: readonly string[]
  readonly httpDeny: readonly string[]
  readonly channelRuntime: {
    readonly deny: Readonly<Record<string, readonly string[]>>
    readonly allowOnly: Readonly<Record<string, readonly string[]>>
  }
  readonly leanDeny: readonly string[]
  /** Core tools outside the catalogue that may still be named in config. */
  readonly otherCoreTools: readonly string[]
}

export const editions: Readonly<Record<EditionId, Edition>> = {
  '2026.7': edition20267,
  '2026.9': edition20269,
}

export const defaultEditionId: EditionId = '2026.7'

/** Picks the edition: the explicit one, else by `meta.lastTouchedVersion` (2026.8 and later mean 2026.9), else 2026.7 (contract §6). */
export function chooseEdition(explicit: EditionId | undefined, lastTouchedVersion: unknown): Edition {
  return editions[explicit ?? editionOfVersion(lastTouchedVersion) ?? defaultEditionId]
}
