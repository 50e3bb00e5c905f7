/*
 * A program of its own around the real dispatcher, with commands that no real command can be made to be at will:
 * `wait` never ends, `crash` throws what nobody foresaw, `stray` throws outside the command, `stream` prints without end.
 */
import { BaseCommand } from '../../src/ui/base-command.ts'
import { dispatch } from '../../src/ui/dispatch.ts'
import { listFlags } from '../../src/ui/flags.ts'
import type { Program } from '../../src/ui/program.ts'

class Wait extends BaseCommand<typeof Wait> {
  protected async execute() {
    this.note('waiting')
    this.signal.addEventListener('abort', () => this.note('told to stop'))
    setInterval(() => {}, 1000)
    await new Promise(() => {})
    return {}
  }
}

class Crash extends BaseCommand<typeof Crash> {
  protected async execute(): Promise<never> {
    throw new TypeError('the sky fell')
  }
}

class Stray extends BaseCommand<typeof Stray> {
  protected async execute() {
    setImmediate(() => {
      throw new TypeError('from elsewhere')
    })
    await new Promise(() => {})
    return {}
  }
}

class Stream extends BaseCommand<typeof Stream> {
  protected async execute() {
    return { lines: Stream.numbers() }
  }

  static *numbers() {
    for (let number = 0; ; number++) yield { number, padding: 'x'.repeat(1000) }
  }
}

class List extends BaseCommand<typeof List> {
  static override flags = listFlags

  protected async execute() {
    const items = ['read', 'write']
    return {
      data: { items },
      names: () => items,
      human: ({ theme, width }: { theme: { name(text: string): string }; width: number }) =>
        `${items.map((item) => theme.name(item)).join('\n')}\nwidth ${width}`,
    }
  }
}

const commands: Program['commands'] = {
  wait: async () => ({ default: Wait }),
  crash: async () => ({ default: Crash }),
  stray: async () => ({ default: Stray }),
  stream: async () => ({ default: Stream }),
  list: async () => ({ default: List }),
}

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0))
const program = { name: 'openclaw-toolchain', version: '0.0.0', root: '/', commands }
const { exitCode, abandoned } = await dispatch(process.argv.slice(2), program)
process.exitCode = exitCode
if (abandoned) process.exit()
