import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SuiteResult } from '../../src/qa/summary.ts'
import { runCli, type CliResult } from './run-cli.ts'

/** A run of `openclaw qa suite` from the build, with what it wrote. */
export interface QaRun extends CliResult {
  readonly summary: SuiteResult
  readonly report: string
  readonly evidence: { readonly scenarios: Readonly<Record<string, unknown>> }
  remove(): Promise<void>
}

/** Longest run in milliseconds, with other tests beside it. */
export const qaLimitMs = 300_000

/** Runs the suite for several tests; whoever calls this removes it. */
export async function runQa(args: readonly string[]): Promise<QaRun> {
  const home = await mkdtemp(join(tmpdir(), 'openclaw-test-qa-'))
  const outputDir = join(home, 'reports')
  const result = await runCli(['qa', 'suite', '--json', '--output-dir', outputDir, ...args], {
    home,
    limit: qaLimitMs,
  })
  const summary: SuiteResult = JSON.parse(result.stdout)
  return {
    ...result,
    summary,
    report: await readFile(summary.files.report, 'utf8'),
    evidence: JSON.parse(await readFile(summary.files.evidence, 'utf8')),
    remove: () => rm(home, { recursive: true, force: true }),
  }
}
