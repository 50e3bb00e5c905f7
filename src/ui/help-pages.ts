import { errorExit, exitCodes } from '../kernel/errors.ts'

/** One entry of a help page: what it is called, what it means, and what to do about it. */
export interface HelpEntry {
  readonly name: string
  readonly text: string
}

export interface HelpPage {
  readonly title: string
  readonly intro: string
  readonly entries: readonly HelpEntry[]
}

const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'Done. A denial that was only asked about and a search without hits are 0, too.',
  failed: 'Failed: for example an unknown agent, a missing config file, a tool that returned an error.',
  usage: 'The command line is wrong: unknown command, unknown flag, bad value.',
  denied: 'Denied, or a negative answer under --check, tools call and tools test.',
  approval: 'Somebody has to approve the call first; data.approvalId names the request.',
  configInvalid: 'The config is invalid; every issue names its file and line.',
  unreachable: 'The gateway, the MCP server that was asked for, or the provider cannot be reached.',
  interrupted: 'Interrupted, as by Ctrl-C.',
}

/** How commands end: every exit code with the error codes that lead to it. */
export function exitCodePage(): HelpPage {
  const entries = Object.entries(exitCodes).map(([key, code]) => {
    const errors = Object.entries(errorExit).flatMap(([name, exit]) => (exit === code ? [name] : []))
    const meaning = exitMeanings[key as keyof typeof exitCodes]
    return { name: String(code), text: errors.length > 0 ? `${meaning}\n${errors.join(' ')}` : meaning }
  })
  return {
    title: 'Exit codes',
    intro: 'With --json a failure prints {"error":{"code","message","hints","data"}} on stdout.',
    entries,
  }
}

/** The environment variables that are read besides the one that each flag names in its help. */
export function environmentPage(): HelpPage {
  return {
    title: 'Environment',
    intro: 'Every flag can also be set by a variable; its help names it. A flag on the command line wins.',
    entries: [
      { name: 'OPENCLAW_CONFIG_PATH', text: 'Config file to read, as --config.' },
      {
        name: 'OPENCLAW_STATE_DIR',
        text: 'Directory of config and state, as --state-dir; else ~/.openclaw.',
      },
      { name: 'OPENCLAW_PROFILE', text: 'Use the state in ~/.openclaw-NAME, as --profile.' },
      { name: 'OPENCLAW_HOME', text: 'Used instead of the home directory.' },
      { name: 'OPENCLAW_JSON', text: '1 prints JSON everywhere, as --json.' },
      { name: 'NO_COLOR', text: 'Any value turns colour off.' },
      {
        name: 'FORCE_COLOR',
        text: '1 turns colour on where output is no terminal, 0 turns it off. Wins over NO_COLOR.',
      },
      { name: 'COLUMNS', text: 'Width of tables where output is no terminal.' },
    ],
  }
}

/** Explains every notice id (contract §4). */
export async function noticePage(): Promise<HelpPage> {
  const { noticeHelp } = await import('../policy/notice-help.ts')
  return {
    title: 'Notices',
    intro:
      'Notices point at config entries that do something else than they seem to. They never change an answer.',
    entries: Object.entries(noticeHelp).map(([name, text]) => ({ name, text })),
  }
}
