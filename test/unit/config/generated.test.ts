import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../../bin/generate.ts'
import { projectRoot } from '../../helpers/project.ts'

test('the generated files are what bin/generate.ts writes', async () => {
  const files = await generatedFiles()
  expect(files.size).toBeGreaterThan(0)
  for (const [file, text] of files) {
    const path = join(projectRoot, file)
    const fresh = existsSync(path) && readFileSync(path, 'utf8') === text
    expect(fresh, `${file} is stale: run node bin/generate.ts`).toBe(true)
  }
})
