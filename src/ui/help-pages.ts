import { errorExit, exitCodes, OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import { helpPages } from './command-line.ts'
import type { Theme } from './theme.ts'

/** One entry of a help page: what it is called, what it means, and what to do about it. */
export interface HelpEntry {
  readonly name: string
  readonly text: string
}

export interface HelpPage {
  readonly page: string
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
    page: 'exit-codes',
    title: 'Exit codes',
    intro: 'With --json a failure prints {"error":{"code","message","hints","data"}} on stdout.',
    entries,
  }
}

/** The environment variables that are read besides the one that each flag names in its help. */
export function environmentPage(): HelpPage {
  return {
    page: 'environment',
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
      {
        name: 'OPENCLAW_INCLUDE_ROOTS',
        text: 'More directories that $include may read from, separated as in PATH.',
      },
      { name: 'OPENCLAW_JSON', text: '1 prints JSON everywhere, as --json.' },
      {
        name: 'OPENCLAW_CONFIG_READONLY',
        text: '1 forbids every write of the config, as OPENCLAW_NIX_MODE=1 does; --dry-run still works.',
      },
      {
        name: 'OPENCLAW_GATEWAY_PORT',
        text: 'Port of the Gateway, wins over gateway.port; without either it is 18789, or one of its own with --profile.',
      },
      { name: 'VISUAL, EDITOR', text: 'The editor of `openclaw config edit`, with its arguments; else vi.' },
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
    page: 'notices',
    title: 'Notices',
    intro:
      'Notices point at config entries that do something else than they seem to. They never change an answer.',
    entries: Object.entries(noticeHelp).map(([name, text]) => ({ name, text })),
  }
}

/** Describes the files that are read besides the config. */
export async function filePage(): Promise<HelpPage> {
  const { fileFormats } = await import('./file-formats.ts')
  return {
    page: 'files',
    title: 'Files',
    intro:
      'All of them are JSON5, so comments and trailing commas are fine. - instead of a name reads standard input.',
    entries: fileFormats,
  }
}

const pages: Readonly<Record<(typeof helpPages)[number], () => HelpPage | Promise<HelpPage>>> = {
  notices: noticePage,
  files: filePage,
  'exit-codes': exitCodePage,
  environment: environmentPage,
}

/** Opens a page of `openclaw help`, or only one of its entries; USAGE with suggestions where there is none of that name. */
export async function openHelpPage(name: string, entry: string | undefined): Promise<HelpPage> {
  const known = helpPages.find((each) => each === name)
  if (known === undefined) {
    throw new OpenClawError('USAGE', `no help page "${name}"`, { hints: suggest(name, helpPages) })
  }
  const page = await pages[known]()
  if (entry === undefined) return page
  const entries = page.entries.filter((each) => each.name === entry)
  if (entries.length > 0) return { ...page, entries }
  const near = suggest(
    entry,
    page.entries.map((each) => each.name),
  )
  throw new OpenClawError('USAGE', `the page "${name}" has no entry "${entry}"`, {
    hints: near.length > 0 ? near.map((each) => `openclaw help ${name} ${each}`) : [`openclaw help ${name}`],
    data: { suggestions: near },
  })
}

/** Lays a page out as text, with long paragraphs broken at the given width. */
export async function renderHelpPage(page: HelpPage, ui: { theme: Theme; width: number }): Promise<string> {
  const { wrapText } = await import('./render/table.ts')
  const { theme } = ui
  const width = Math.min(ui.width, 100)
  const entries = page.entries.map(({ name, text }) => {
    const lines = text.split('\n').flatMap((paragraph) => wrapText(paragraph, width - 2))
    return [theme.name(name), ...lines.map((line) => `  ${line}`)].join('\n')
  })
  return [theme.heading(page.title), wrapText(page.intro, width).join('\n'), ...entries].join('\n\n')
}
