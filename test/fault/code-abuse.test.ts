import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'
import { runs } from '../property/random.ts'

test('abusive snippets end in time and leave nothing behind', { timeout: 600_000 }, async () => {
  const program = `${projectRoot}test/helpers/abuse-program.ts`
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program, String(runs(500))])
  const { growth, late }: { growth: number; late: Record<string, number[]> } = JSON.parse(stdout)
  // A busy machine may be late once; what is late each time is late.
  const slow = Object.entries(late).filter(([, times]) => Math.min(...times) > 250)
  expect(slow).toEqual([])
  expect(Object.keys(late)).toHaveLength(14)
  expect(growth).toBeLessThanOrEqual(30)
})
