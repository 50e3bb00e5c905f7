import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'

interface Flag {
  readonly name: string
  readonly type: string
  readonly env?: string
  readonly summary?: string
  readonly allowNo?: boolean
  readonly multiple?: boolean
  readonly options?: readonly string[]
  readonly helpGroup?: string
}

interface Command {
  readonly id: string
  readonly summary?: string
  readonly examples?: readonly unknown[]
  readonly args: Readonly<Record<string, { readonly required?: boolean; readonly multiple?: boolean }>>
  readonly flags: Readonly<Record<string, Flag>>
}

const manifest: { commands: Record<string, Command> } = JSON.parse(
  readFileSync(`${projectRoot}dist/oclif.manifest.json`, 'utf8'),
)
const commands = Object.values(manifest.commands).toSorted((a, b) => (a.id < b.id ? -1 : 1))

function describeFlag(flag: Flag): string {
  const value = flag.type === 'boolean' ? '' : `=${flag.options?.join('|') ?? 'VALUE'}`
  const name = flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`
  return `  ${name}${value}${flag.multiple ? '…' : ''}  ${flag.env}`
}

function describeArgs(command: Command): string {
  return Object.entries(command.args)
    .map(([name, arg]) => ` ${name.toUpperCase()}${arg.multiple ? '…' : ''}${arg.required ? '' : '?'}`)
    .join('')
}

/** Every command with its own flags; those that all commands share stand once at the top. */
function surface(): string {
  const common = commands[0]
    ? Object.values(commands[0].flags).filter((flag) => flag.helpGroup === 'COMMON')
    : []
  const blocks = commands.map((command) =>
    [
      `openclaw ${command.id.replaceAll(':', ' ')}${describeArgs(command)}`,
      ...Object.values(command.flags)
        .filter((flag) => flag.helpGroup !== 'COMMON')
        .map(describeFlag)
        .toSorted(),
    ].join('\n'),
  )
  return `${[['every command', ...common.map(describeFlag)].join('\n'), ...blocks].join('\n\n')}\n`
}

describe('the surface of the command line', () => {
  // Whoever removes or renames a command or flag has to change that file, where everybody sees it.
  test('is as written in cli-surface.txt', async () => {
    await expect(surface()).toMatchFileSnapshot('cli-surface.txt')
  })

  test('has one command per file', () => {
    const files = globSync('**/*.ts', { cwd: `${projectRoot}commands` })
    const ids = files.map((file) => file.slice(0, -'.ts'.length).replaceAll(/[\\/]/g, ':'))
    expect(commands.map((command) => command.id)).toEqual(ids.toSorted())
  })

  test.each(commands)('$id: has a one-line summary, two to four examples and the common flags', (command) => {
    expect(command.summary).toMatch(/^[A-Z].{10,100}\.$/)
    expect(command.examples?.length).toBeGreaterThanOrEqual(2)
    expect(command.examples?.length).toBeLessThanOrEqual(4)
    expect(Object.keys(command.flags)).toEqual(
      expect.arrayContaining([
        'config',
        'state-dir',
        'profile',
        'edition',
        'json',
        'no-color',
        'timeout',
        'debug',
      ]),
    )
  })

  test.each(commands)('$id: every flag has a summary and a variable of its own', ({ flags }) => {
    const all = Object.values(flags)
    expect(all.filter((flag) => !flag.summary).map((flag) => flag.name)).toEqual([])
    expect(all.filter((flag) => !/^OPENCLAW_[A-Z_]+$/.test(flag.env ?? '')).map((flag) => flag.name)).toEqual(
      [],
    )
    expect(new Set(all.map((flag) => flag.env)).size).toBe(all.length)
  })
})
