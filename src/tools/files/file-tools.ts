import type { Running } from '../../calls/executor.ts'
import type { Args } from '../../calls/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { CoreTool, OpenFamily } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { editTool, type EditInput } from './edit.ts'
import { lsTool } from './ls.ts'
import { patchTool } from './patch/patch.ts'
import { recoverPatches } from './patch/recover.ts'
import { readTool } from './read.ts'
import type { Replacement } from './replace.ts'
import { scopeOf, type Scope } from './scope.ts'
import { writeTool } from './write.ts'
import type { ToolResult } from '../../calls/types.ts'

type Options = Pick<CodingToolOptions, 'places' | 'homeDir' | 'view' | 'stateDir' | 'tell'>

/** `read`, `write`, `edit` and `ls` of a run; each sees the session as it is judged when it is called. */
export function openFileTools(options: Options): OpenFamily {
  const tool = (work: (scope: Scope, args: Args, running: Running) => Promise<ToolResult>): CoreTool => ({
    run: async (args, running) => {
      const scope = await scopeOf(options, 'files')
      await recoverPatches(options.stateDir, running.signal, options.tell)
      running.signal.throwIfAborted()
      return { result: await work(scope, args, running) }
    },
  })
  return {
    tools: {
      read: tool(async (scope, args, { signal }) => {
        const { vision } = options.view().context.supports
        const range = { ...number(args, 'offset'), ...number(args, 'limit') }
        return readTool(scope, { path: text(args, 'path'), ...range }, { signal, vision })
      }),
      write: tool(async (scope, args) => {
        return writeTool(scope, { path: text(args, 'path'), content: text(args, 'content') })
      }),
      edit: tool(async (scope, args) => editTool(scope, editInput(args))),
      ls: tool(async (scope, args) => {
        const path = args['path'] === undefined ? {} : { path: text(args, 'path') }
        return lsTool(scope, { ...path, ...number(args, 'limit') })
      }),
    },
  }
}

/** `apply_patch` of a run. */
export function openPatchTool(options: Options): OpenFamily {
  return {
    tools: {
      apply_patch: {
        run: async (args, { signal }) => {
          const scope = await scopeOf(options, 'patch')
          const input = { input: text(args, 'input') }
          return { result: await patchTool(scope, input, { ...options, signal }) }
        },
      },
    },
  }
}

function text(args: Args, name: string): string {
  const value = args[name]
  if (typeof value === 'string') return value
  throw new OpenClawError('INPUT_INVALID', `${name} must be a text`)
}

function number<Name extends string>(args: Args, name: Name): { [Key in Name]?: number } {
  const value = args[name]
  const found: { [Key in Name]?: number } = {}
  if (typeof value === 'number') found[name] = value
  return found
}

function flag(args: Args): { replaceAll?: boolean } {
  const value = args['replaceAll']
  return typeof value === 'boolean' ? { replaceAll: value } : {}
}

function editInput(args: Args): EditInput {
  const optional = (name: 'oldText' | 'newText'): Partial<EditInput> =>
    args[name] === undefined ? {} : { [name]: text(args, name) }
  const edits = args['edits']
  return {
    path: text(args, 'path'),
    ...optional('oldText'),
    ...optional('newText'),
    ...flag(args),
    ...(Array.isArray(edits) && { edits: edits.map(replacement) }),
  }
}

function replacement(value: Args): Replacement {
  return { oldText: text(value, 'oldText'), newText: text(value, 'newText'), ...flag(value) }
}
