import { applyOperation } from './apply.ts'
import { changeConfig, type ChangeOptions, type Outcome } from './change.ts'
import type { Operation } from './operation.ts'
import { openWorkspace } from './workspace.ts'

/** Carries out operations in order as one write: all of them or none. Errors: those of `applyOperation` and `changeConfig`. */
export function operate(
  operations: readonly Operation[],
  options: ChangeOptions & { readonly replace: boolean },
): Promise<Outcome> {
  return changeConfig(async (loaded, edition) => {
    const workspace = openWorkspace(loaded, options.load, edition)
    for (const operation of operations) await applyOperation(workspace, operation, options.replace)
    return { edited: await workspace.finish() }
  }, options)
}
