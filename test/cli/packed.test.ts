import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { SuiteResult } from '../../src/qa/summary.ts'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, tempDir } from '../helpers/run-cli.ts'

const run = promisify(execFile)
const limitMs = 240_000

// What is published has to work where nothing else of this project is.
test(
  'the packed program, installed into an empty folder, passes the Tool Search scenario',
  async () => {
    const [shelf, home] = [await tempDir(), await tempDir({ 'package.json': '{ "private": true }' })]
    const env = isolatedEnv(home)
    await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', shelf], {
      cwd: projectRoot,
      env,
    })
    const [packed = ''] = readdirSync(shelf)
    const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
    await run('npm', ['install', ...quiet, join(shelf, packed)], { cwd: home, env })
    const installed = realpathSync(join(home, 'node_modules', '.bin', 'openclaw'))
    expect(installed).toBe(join(realpathSync(home), 'node_modules', 'openclaw-toolchain', 'bin', 'run.js'))
    const words = ['qa', 'suite', '--provider-mode', 'mock-openai', '--scenario', 'tool-search-gateway-e2e']
    const { stdout } = await run(process.execPath, [installed, ...words, '--json'], { cwd: home, env })
    const result: SuiteResult = JSON.parse(stdout)
    expect(result.scenarios.map(({ id, status, details }) => [id, status, details])).toEqual([
      ['tool-search-gateway-e2e', 'pass', undefined],
    ])
    expect(readFileSync(result.files.report, 'utf8')).toContain('# OpenClaw QA Scenario Suite')
    expect(result.outputDir.startsWith(join(realpathSync(home), '.artifacts', 'qa-e2e'))).toBe(true)
  },
  limitMs,
)
