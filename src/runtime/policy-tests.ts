import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'
import { chooseEdition, type EditionId } from '../catalog/edition.ts'
import { parseInventory } from '../catalog/inventory-file.ts'
import { issueLine } from '../config/invalid.ts'
import { getIn } from '../config/path-value.ts'
import { validateConfig } from '../config/validate.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { parseTestFile, type CaseInput, type PolicyTestFile } from '../policy/test-file.ts'
import {
  judgeCase,
  likelySlips,
  summarize,
  toJunit,
  updatedExpectation,
  type CaseOutcome,
  type CaseResult,
  type TestResult,
} from '../policy/test-run.ts'
import { parseContext } from '../sessions/context-file.ts'
import type { Inputs } from './inputs.ts'
import { viewNotices } from './notices.ts'
import { openView, type ViewSource } from './open-view.ts'
import type { Rewrite } from './policy-test-update.ts'

/** Judges one case's session; whatever is wrong with the case itself is its failure, not the run's. */
async function openOutcome(input: CaseInput, at: string): Promise<CaseOutcome> {
  try {
    const config = input.config ?? {}
    const edition = chooseEdition(input.edition, getIn(config, ['meta', 'lastTouchedVersion']))
    const validation = await validateConfig(config, { edition: edition.id, locate: () => null })
    if (!validation.valid) return { kind: 'invalid', problems: validation.issues.map(issueLine) }
    const source: ViewSource = {
      config: validation.config,
      edition,
      request: parseContext(input.context ?? {}, `${at}: context`),
      entry: undefined,
      inventory: input.inventory === undefined ? null : parseInventory(input.inventory, `${at}: inventory`),
    }
    const view = openView(source)
    const notices = [...validation.warnings, ...viewNotices(view, () => null)]
    return { kind: 'view', view, noticeIds: [...new Set(notices.map((notice) => notice.id))] }
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    return { kind: 'failed', message: error.message }
  }
}

/** Case values replace file values; an edition asked for on the command line wins over both (contract §5). */
function inputOf(file: PolicyTestFile, index: number, edition: EditionId | undefined): CaseInput {
  const { name: _name, expect: _expect, ...own } = file.cases[index]!
  const { cases: _cases, ...shared } = file
  return { ...shared, ...own, ...(edition && { edition }) }
}

export interface PolicyTestOptions {
  readonly edition: EditionId | undefined
  /** Rewrite the claims of failing cases to what is true now. */
  readonly update: boolean
}

/** What `tools test` answers; `updated` counts the cases that were rewritten. */
export interface PolicyTestRun extends TestResult {
  readonly updated?: number
}

/** Runs policy test files. Errors: INPUT_INVALID for a file that is no policy test file; a case with wrong values only fails. */
export async function runPolicyTests(
  inputs: Inputs,
  files: readonly string[],
  options: PolicyTestOptions,
): Promise<PolicyTestRun> {
  const results: CaseResult[] = []
  let updated = 0
  for (const name of files) {
    const document = await inputs.read(name, 'policy test file')
    const file = parseTestFile(document.value, name)
    const rewrites: Rewrite[] = []
    for (const [index, each] of file.cases.entries()) {
      const outcome = await openOutcome(inputOf(file, index, options.edition), `${name}: cases[${index}]`)
      const problems = judgeCase(each.expect, outcome)
      const expect = updatedExpectation(each.expect, outcome)
      const rewrite = options.update && problems.length > 0 && judgeCase(expect, outcome).length === 0
      if (rewrite) rewrites.push({ index, expect })
      const warnings = likelySlips(rewrite ? expect : each.expect, outcome)
      results.push({
        file: name,
        name: each.name,
        ok: rewrite || problems.length === 0,
        problems: rewrite ? [] : problems,
        ...(warnings.length > 0 && { warnings }),
      })
    }
    if (rewrites.length > 0) {
      const { updateTestFile } = await import('./policy-test-update.ts')
      updateTestFile(document, rewrites)
    }
    updated += rewrites.length
  }
  const result = summarize(results)
  return options.update ? { ...result, updated } : result
}

/** Writes a JUnit report, with the directories it needs; USAGE where that is not possible. */
export function writeJunit(file: string, result: TestResult): void {
  try {
    makeDirectory(dirname(file), 0o777)
    writeFileSync(file, toJunit(result))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OpenClawError('USAGE', `--junit: cannot write ${file}: ${reason}`, { cause: error })
  }
}
