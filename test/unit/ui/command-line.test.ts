import { describe, expect, test } from 'vitest'
import { OpenClawError } from '../../../src/kernel/errors.ts'
import { readCommandLine } from '../../../src/ui/command-line.ts'

const ids = [
  'agent',
  'approvals allowlist add',
  'approvals allowlist list',
  'approvals list',
  'config file',
  'config get',
  'help',
  'tools effective',
  'tools explain',
  'tools search',
]

/** One line that says what the command line means. */
function meaning(line: string): string {
  const argv = line === '' ? [] : line.split(' ')
  try {
    const intent = readCommandLine(argv, ids)
    if (intent.kind === 'help') return `help for ${intent.subject.join(' ') || 'all'}`
    return `run "${intent.id}" with [${intent.argv.join(' ')}]`
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    return `${error.code}: ${error.hints.join(', ')}`
  }
}

describe('readCommandLine', () => {
  test.each([
    ['tools effective', 'run "tools effective" with []'],
    ['tools explain exec --json', 'run "tools explain" with [exec --json]'],
    ['agent --message hello', 'run "agent" with [--message hello]'],
    ['approvals allowlist add git --json', 'run "approvals allowlist add" with [git --json]'],
    ['approvals list', 'run "approvals list" with []'],
    ['approvals allowlist', 'help for approvals allowlist'],
    ['help approvals allowlist', 'help for approvals allowlist'],
    ['help approvals allowlist add', 'help for approvals allowlist add'],
    ['agent tools', 'run "agent" with [tools]'],
    ['help notices', 'run "help" with [notices]'],
    ['tools search -- --help', 'run "tools search" with [-- --help]'],
    ['--json tools effective --why', 'run "tools effective" with [--json --why]'],
    ['--config a.json --debug config get tools', 'run "config get" with [tools --config a.json --debug]'],
    ['--config=a.json config get tools', 'run "config get" with [tools --config=a.json]'],

    ['', 'help for all'],
    ['--help', 'help for all'],
    ['--json', 'help for all'],
    ['help', 'help for all'],
    ['tools', 'help for tools'],
    ['tools -h', 'help for tools'],
    ['--help tools', 'help for tools'],
    ['help tools', 'help for tools'],
    ['help tools explain', 'help for tools explain'],
    ['tools explain exec --help', 'help for tools explain'],
    ['help --help', 'help for help'],
    ['help notices --help', 'help for help'],

    ['tool effective', 'COMMAND_UNKNOWN: openclaw tools effective, openclaw tools, openclaw --help'],
    ['tools efective', 'COMMAND_UNKNOWN: openclaw tools effective, openclaw tools --help'],
    ['tools efective --help', 'COMMAND_UNKNOWN: openclaw tools effective, openclaw tools --help'],
    [
      'approvals allowlist ad git',
      'COMMAND_UNKNOWN: openclaw approvals allowlist add, openclaw approvals allowlist --help',
    ],
    ['effective', 'COMMAND_UNKNOWN: openclaw tools effective, openclaw --help'],
    ['explain exec', 'COMMAND_UNKNOWN: openclaw tools explain, openclaw --help'],
    ['confg', 'COMMAND_UNKNOWN: openclaw config, openclaw --help'],
    ['help confg', 'COMMAND_UNKNOWN: openclaw config, openclaw --help'],
    ['tools:effective', 'COMMAND_UNKNOWN: openclaw tools effective, openclaw --help'],
    ['frobnicate', 'COMMAND_UNKNOWN: openclaw --help'],
    ['__proto__', 'COMMAND_UNKNOWN: openclaw --help'],
    ['toString', 'COMMAND_UNKNOWN: openclaw --help'],

    ['--jsno', 'USAGE: --json, openclaw --help'],
    ['--constructor', 'USAGE: openclaw --help'],
    ['tools --why', 'USAGE: openclaw --help'],
    ['-x', 'USAGE: openclaw --help'],
  ])('%s', (line, expected) => {
    expect(meaning(line)).toBe(expected)
  })
})
