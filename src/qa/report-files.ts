import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { renderReport, withoutSecrets } from './report.ts'
import type { RanScenario } from './run-scenario.ts'
import { describeError } from './steps.ts'
import type { SuiteResult, SuiteSummary } from './summary.ts'

/** Makes the folder of the reports where it is not there. USAGE where that cannot be. */
export function makeFolder(outputDir: string): void {
  try {
    makeDirectory(outputDir, 0o777)
  } catch (error) {
    // A folder that is there is no error.
    const why = existsSync(outputDir) ? 'it is no folder' : describeError(error)
    throw new OpenClawError('USAGE', `--output-dir: cannot make ${outputDir}: ${why}`, {
      hints: ['name a folder that can be written'],
    })
  }
}

/** Writes the three reports, without the secrets of the scenarios. USAGE where they cannot be written. */
export function writeReports(
  summary: SuiteSummary,
  ran: readonly RanScenario[],
  outputDir: string,
): SuiteResult {
  const files = {
    report: join(outputDir, 'qa-suite-report.md'),
    summary: join(outputDir, 'qa-suite-summary.json'),
    evidence: join(outputDir, 'qa-evidence.json'),
  }
  const secrets = ran.flatMap((each) => each.secrets)
  const evidence = {
    run: summary.run,
    scenarios: Object.fromEntries(ran.map(({ result, findings }) => [result.id, findings?.evidence ?? null])),
  }
  const json = (value: unknown): string => withoutSecrets(`${JSON.stringify(value, null, 2)}\n`, secrets)
  try {
    writeFileSync(files.summary, json(summary))
    writeFileSync(files.evidence, json(evidence))
    writeFileSync(files.report, withoutSecrets(renderReport(summary), secrets))
  } catch (error) {
    throw new OpenClawError('USAGE', `--output-dir: cannot write a report: ${describeError(error)}`)
  }
  return { ...summary, outputDir, files }
}
