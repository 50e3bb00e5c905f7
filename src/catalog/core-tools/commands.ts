import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

const text = (description: string) => ({ type: 'string', description })
const flag = (description: string) => ({ type: 'boolean', description })
const count = (description: string) => ({ type: 'integer', minimum: 0, description })
const orNull = (type: string) => ({ type: [type, 'null'] })

/** Inputs of exec and process in an edition. */
export function commandTools(_edition: EditionId): CoreToolSpecs {
  return { exec, process }
}

const exec = {
  risk: 'high',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['command'],
    properties: {
      command: { ...text('Shell command to run.'), minLength: 1 },
      workdir: text('Directory to run it in; a relative one starts at the workspace, which is the default.'),
      env: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Environment variables beside the usual ones. No secrets, no PATH, no loader variables.',
      },
      timeout: { type: 'number', minimum: 0, description: 'Seconds after which it is ended; 0 for never.' },
      background: flag('Return at once and let it run; follow it with the process tool.'),
      yieldMs: count('Milliseconds to wait before it goes on in the background (default 10000).'),
      pty: flag('Run it in a terminal, for programs that need one.'),
      host: { enum: ['auto', 'sandbox', 'gateway', 'node'], description: 'Where to run it.' },
      node: text('Node to run it on, with host node.'),
      elevated: flag('Run it outside the sandbox, where the session may.'),
      security: { enum: ['deny', 'allowlist', 'full'], description: 'Can only be stricter than configured.' },
      ask: { enum: ['off', 'on-miss', 'always'], description: 'Can only be stricter than configured.' },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['status', 'exitCode', 'signal', 'durationMs', 'cwd', 'tail', 'outputBytes', 'truncated'],
    properties: {
      status: { enum: ['completed', 'failed', 'running', 'killed', 'timeout'] },
      exitCode: orNull('integer'),
      signal: orNull('string'),
      durationMs: { type: 'integer' },
      cwd: { type: 'string' },
      backend: { type: 'string' },
      tail: text('The end of what it wrote, as text.'),
      outputBytes: { type: 'integer' },
      truncated: { type: 'boolean' },
      spillFile: text('File with everything it wrote, where that is more than the result shows.'),
      sessionId: text('Id for the process tool, where it runs in the background.'),
      pid: { type: 'integer' },
      leftRunning: flag('Processes that it started outlive it.'),
    },
  },
} as const

const process = {
  risk: 'medium',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['action'],
    properties: {
      action: {
        enum: ['list', 'poll', 'log', 'write', 'submit', 'send-keys', 'paste', 'kill', 'clear', 'remove'],
        description:
          'list; poll (new output, may wait); log (lines); write, submit (with Enter), paste, send-keys (stdin); kill; clear (forget a finished one); remove (kill and forget).',
      },
      sessionId: text('Which command; every action but list needs it.'),
      timeout: { ...count('poll: milliseconds to wait for output or the end.'), maximum: 120_000 },
      offset: count('log: first line, from 0; without it the last lines.'),
      limit: { type: 'integer', minimum: 1, description: 'log: lines at most (default 200).' },
      data: text('write, submit: text for its stdin.'),
      text: text('paste: text to paste.'),
      keys: {
        type: 'array',
        items: { type: 'string' },
        description: 'send-keys: Enter, Tab, Escape, Up, C-c, M-x, F1 … or single characters.',
      },
      eof: flag('write: close its stdin afterwards.'),
    },
  },
} as const
