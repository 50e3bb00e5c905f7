import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { environmentPage } from '../../../src/ui/help-pages.ts'

/** Variables of this program, and those of editors, as source text names them. */
const named = /'(OPENCLAW_[A-Z_]+|VISUAL|EDITOR)'/g

test('every variable that is read stands on the environment page or at its flag', () => {
  const read = globSync('src/{config,gateway,runtime}/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(named)].map((match) => match[1] ?? ''),
  )
  expect(new Set(read).size).toBeGreaterThan(9)
  const flags = readFileSync('test/pins/cli-surface.txt', 'utf8')
  const page = JSON.stringify(environmentPage().entries)
  const untold = read.filter((name) => !new RegExp(`\\b${name}\\b`).test(page + flags))
  expect([...new Set(untold)]).toEqual([])
})
