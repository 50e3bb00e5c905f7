import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'
import { runCli } from '../helpers/run-cli.ts'

const readme = readFileSync(`${projectRoot}README.md`, 'utf8')

/** Commands of the README that are shown with what they print. */
const shown = [...readme.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block
    .split(/^(?=\$ )/m)
    .filter((part) => part.startsWith('$ '))
    .map((part) => {
      const [line = '', ...output] = part.split('\n')
      return { line: line.slice(2), output: output.join('\n').trimEnd() }
    }),
)

test('the README shows what is asked first', () => {
  expect(shown.map(({ line }) => line)).toEqual(
    expect.arrayContaining([
      'npx openclaw tools effective',
      expect.stringMatching(
        /^npx openclaw tools explain exec --config fixtures\/realconfigs\/\S+ --agent \S+$/,
      ),
    ]),
  )
})

test.each(shown)('$line prints what the README says', async ({ line, output }) => {
  // Plain words and single quotes are all a reader needs, and all that is understood here.
  expect(line).toMatch(/^npx openclaw(?: [\w./=:-]+| '[^']+')+$/)
  const words = [...line.matchAll(/'([^']+)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const { code, stdout, stderr } = await runCli(words.slice(2), { cwd: projectRoot })
  expect({ code, output: (stdout + stderr).trimEnd() }).toEqual({ code: 0, output })
})
