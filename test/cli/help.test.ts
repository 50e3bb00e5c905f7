import { describe, expect, test } from 'vitest'
import { runCli, runJson } from '../helpers/run-cli.ts'

describe('help', () => {
  test('openclaw alone, --help and help show the same', async () => {
    const alone = await runCli([])
    expect(alone).toMatchObject({ code: 0, stderr: '' })
    expect(alone.stdout).toContain('\n  $ openclaw TOPIC COMMAND [flags]\n')
    expect(alone.stdout).toContain('\n  openclaw help notices ')
    for (const args of [['--help'], ['-h'], ['help'], ['--no-color']])
      expect(await runCli(args)).toEqual(alone)
  })

  test('a topic lists its commands, however it is asked', async () => {
    const topic = await runCli(['config'])
    expect(topic).toMatchObject({ code: 0, stderr: '' })
    expect(topic.stdout).toMatch(/^Read, check and change the config file\.\n/)
    expect(topic.stdout).toContain('\n  config file ')
    for (const args of [
      ['config', '--help'],
      ['config', '-h'],
      ['help', 'config'],
      ['--help', 'config'],
    ]) {
      expect({ args, ...(await runCli(args)) }).toEqual({ args, ...topic })
    }
  })

  test('a command: summary, usage, examples, flags with their variables', async () => {
    const command = await runCli(['config', 'file', '--help'])
    expect(command.stdout).toMatchInlineSnapshot(`
      "Print the path of the config file, whether it exists or not.

      USAGE
        $ openclaw config file [flags]

      EXAMPLES
        $ openclaw config file

        $ openclaw config file --profile work

        $ openclaw config file --json

      COMMON FLAGS
        --config=FILE       [env: OPENCLAW_CONFIG_PATH] Config file to read.
        --state-dir=DIR     [env: OPENCLAW_STATE_DIR] Directory of config and state.
        --profile=NAME      [env: OPENCLAW_PROFILE] Use the state in ~/.openclaw-NAME.
        --edition=<option>  [env: OPENCLAW_EDITION] Behave as this edition.
                            <options: 2026.7|2026.9>
        --json              [env: OPENCLAW_JSON] Print exactly one JSON value.
        --no-color          [env: OPENCLAW_NO_COLOR] Print plain text.
        --timeout=S         [env: OPENCLAW_TIMEOUT] Give up after S seconds.
        --debug             [env: OPENCLAW_DEBUG] Show stack traces and timings on stderr.
      "
    `)
    for (const args of [
      ['help', 'config', 'file'],
      ['config', 'file', 'x', '-h', '--nope'],
    ]) {
      expect({ args, ...(await runCli(args)) }).toEqual({ args, ...command })
    }
  })

  test('as JSON: the commands of a topic, or one command with its flags', async () => {
    expect((await runJson(['config'])).json).toMatchObject({
      commands: expect.arrayContaining([
        {
          command: 'openclaw config file',
          summary: 'Print the path of the config file, whether it exists or not.',
        },
      ]),
    })
    expect((await runJson(['config', 'file', '--help'])).json).toMatchObject({
      command: 'openclaw config file',
      flags: expect.arrayContaining([
        { name: 'json', type: 'boolean', summary: 'Print exactly one JSON value.', env: 'OPENCLAW_JSON' },
      ]),
    })
  })

  test('a page, and one entry of it', async () => {
    const page = await runJson(['help', 'exit-codes'])
    expect(page.json).toMatchObject({ page: 'exit-codes', title: 'Exit codes' })
    expect((await runCli(['help', 'notices', 'empty-allow'])).stdout).toMatchInlineSnapshot(`
      "Notices

      Notices point at config entries that do something else than they seem to. They never change an
      answer.

      empty-allow
        \`allow: []\` means no restriction, not "no tools". To take every tool away write \`deny: ["*"]\`; to
        keep everything remove the empty list.
      "
    `)
    expect(await runCli(['help', 'notices', 'empty-alow'])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "error: the page "notices" has no entry "empty-alow"
      try: openclaw help notices empty-allow
      ",
        "stdout": "",
      }
    `)
  })

  test('of a command that does not exist', async () => {
    expect(await runCli(['help', 'config', 'fle'])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "error: unknown command "config fle"
      try: openclaw config file
      try: openclaw config --help
      ",
        "stdout": "",
      }
    `)
  })
})
