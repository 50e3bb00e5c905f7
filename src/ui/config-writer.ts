import { boolean } from '@oclif/core/flags'
import type { EditionId } from '../catalog/edition.ts'
import type { FindOptions } from '../config/find.ts'
import type { ChangeOptions, Outcome } from '../runtime/config-edit/change.ts'
import type { Answer, Ui } from './base-command.ts'
import { defineFlags } from './flags.ts'

/** Flag of every command that writes the config. */
export const writerFlags = defineFlags({
  'dry-run': boolean({ summary: 'Print the unified diff and change nothing.' }),
})

/** Flag of writers that can lose entries nobody named. */
export const replaceFlag = defineFlags({
  replace: boolean({
    summary: 'Drop entries of agents, providers, servers and plugins that the new value lacks.',
  }),
})

/** What a writing command asks the runtime for. */
export function changeOptions(
  load: FindOptions,
  flags: { readonly 'dry-run': boolean; readonly edition?: EditionId | undefined },
  words: { readonly command: string; readonly argv: readonly string[]; readonly signal: AbortSignal },
): ChangeOptions {
  // A flag that nobody typed is undefined, whatever its type says.
  return {
    load,
    edition: flags.edition,
    dryRun: flags['dry-run'] === true,
    onWait: () => {
      if (process.stderr.isTTY) process.stderr.write('waiting for another process that writes the config\n')
    },
    ...words,
  }
}

/** The answer of a writing command: its result, with the diff when nothing was written, and the same for people. */
export async function writeAnswer(outcome: Outcome): Promise<Answer> {
  const { result } = outcome
  const diff = result.dryRun
    ? (await import('../runtime/config-edit/file-diff.ts')).diffOf(outcome.edited)
    : null
  return {
    data: diff === null ? result : { ...result, diff },
    human: async (ui: Ui) => (await import('./render/config-write.ts')).renderWrite(outcome, diff, ui),
  }
}
