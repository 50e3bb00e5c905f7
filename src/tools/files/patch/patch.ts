import type { ToolResult } from '../../../calls/types.ts'
import { showName } from '../../../kernel/untrusted-text.ts'
import type { Scope } from '../scope.ts'
import { unifiedDiff } from '../unified-diff.ts'
import { commit } from './commit.ts'
import { parsePatch } from './parse.ts'
import { Planner, type FileChange } from './plan.ts'
import { settleAll, withJournals } from './recover.ts'

export interface PatchOptions {
  readonly stateDir: string
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
}

const signs = { add: 'A', update: 'M', delete: 'D', move: 'R' } as const

/**
 * Applies a patch of several files: all of it or nothing, also when the process is killed midway; the next call of a file tool ends what was
 * begun. Errors: INPUT_INVALID with the line of the patch, TOOL_DENIED, TOOL_FAILED.
 */
export async function patchTool(
  scope: Scope,
  { input }: { readonly input: string },
  { stateDir, signal, tell }: PatchOptions,
): Promise<ToolResult> {
  const sections = parsePatch(input)
  const changes = await withJournals(stateDir, signal, async () => {
    settleAll(stateDir, tell)
    const planner = new Planner(scope)
    try {
      const plan = planner.plan(sections)
      signal.throwIfAborted()
      commit(stateDir, plan.ops)
      return plan.changes
    } finally {
      planner.close()
    }
  })
  const files = await Promise.all(changes.map(detailOf))
  return { content: [{ type: 'text', text: changes.map(lineOf).join('\n') }], details: { files } }
}

function lineOf({ kind, path, to }: FileChange): string {
  const way = to === undefined ? '' : ` -> ${showName(to, 300)}`
  return `${signs[kind]} ${showName(path, 300)}${way}`
}

async function detailOf({ kind, path, to, before, after, hardLinks }: FileChange) {
  return {
    kind,
    path,
    ...(to !== undefined && { to }),
    diff: kind === 'delete' ? null : await unifiedDiff(to ?? path, before, after),
    ...(hardLinks !== undefined && { hardLinks }),
  }
}
