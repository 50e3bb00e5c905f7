import { constants } from 'node:os'
import { OpenClawError } from '../../kernel/errors.ts'
import type { PlannedCommand } from '../place.ts'
import type { Child, Exit } from './child.ts'

const size = { cols: 120, rows: 30 }

/** Starts a command in a terminal of its own. Error: TOOL_UNAVAILABLE where the module for that is not installed or does not work here. */
export async function startInTerminal(
  { file, args, cwd, env }: PlannedCommand,
  onOutput: (chunk: Buffer) => void,
): Promise<Child> {
  const { spawn } = await loadPty()
  const terminal = spawn(file, [...args], {
    ...size,
    name: 'xterm-256color',
    cwd,
    env: { ...env },
    // Bytes; only whoever reads knows where characters end.
    encoding: null,
  })
  let isOpen = true
  const exited = new Promise<Exit>((done) => {
    terminal.onExit(({ exitCode, signal }) => {
      isOpen = false
      done(signal ? { code: null, signal: signalName(signal) } : { code: exitCode, signal: null })
    })
  })
  terminal.onData((data) => onOutput(Buffer.from(data)))
  return {
    pid: terminal.pid,
    exited,
    // What it wrote is told before its end.
    drained: Promise.resolve(),
    write: (data) => isOpen && (terminal.write(data), true),
    endInput: () => {
      if (isOpen) terminal.write('\u0004')
    },
    release: () => {
      if (isOpen) terminal.kill('SIGKILL')
    },
  }
}

async function loadPty(): Promise<typeof import('@lydell/node-pty')> {
  try {
    return await import('@lydell/node-pty')
  } catch (cause) {
    throw new OpenClawError('TOOL_UNAVAILABLE', 'exec needs @lydell/node-pty for a terminal (pty: true)', {
      hints: ['npm install @lydell/node-pty beside this program', 'run the command without pty'],
      data: { needs: '@lydell/node-pty' },
      cause,
    })
  }
}

function signalName(number: number): string {
  const known = Object.entries(constants.signals).find(([, value]) => value === number)
  return known?.[0] ?? `signal ${number}`
}
