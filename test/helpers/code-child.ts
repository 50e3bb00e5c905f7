import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bridge } from '../../src/tool-search/code/bridge.ts'
import { builtChild, type ChildFile } from '../../src/tool-search/code/child-file.ts'
import type { LockedChild } from '../../src/tool-search/code/locked-child.ts'
import { CodePool } from '../../src/tool-search/code/pool.ts'
import { projectRoot } from './project.ts'

/** The child as it is shipped. */
export const shippedChild: ChildFile = builtChild(`${projectRoot}dist`)

/** A pool that remembers the children it handed out. */
export class WatchedPool extends CodePool {
  readonly children: LockedChild[] = []

  override async acquire(): Promise<LockedChild> {
    const child = await super.acquire()
    this.children.push(child)
    return child
  }

  get last(): LockedChild {
    const child = this.children.at(-1)
    if (!child) throw new Error('no child has been used')
    return child
  }
}

/** Whether a process with this id exists and is no mere entry that waits for its parent. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return false
  }
}

/** A bridge whose tools do nothing dangerous, with a list of the ids that were called. */
export function testBridge(): Bridge & { readonly called: string[] } {
  const called: string[] = []
  return {
    called,
    search: async ({ query, limit }) => [{ id: 'openclaw:core:echo', name: 'echo', query, limit }],
    describe: async ({ id }) => ({ id, parameters: {} }),
    call: async ({ id, args }) => {
      called.push(id)
      if (id === 'echo') return args
      // What a snippet could have done to the prototypes of this process.
      if (id === 'whoami')
        return { host: 'polluted' in {} || 'isAdmin' in {} || 'evil' in {} || 'call' in {} }
      if (id === 'fail') throw Object.assign(new Error('kaput'), { code: 'TOOL_FAILED' })
      throw Object.assign(new Error(`${id} is denied`), { code: 'TOOL_DENIED' })
    },
  }
}

/** What puts the objects of the child's own realm, as they are after the lock-down, into the snippet's globals. */
const breach = `
{
  const { Script } = require('node:vm')
  const { runInContext } = Script.prototype
  const found = { P: process, R: require, Buffer, fetch }
  Script.prototype.runInContext = function (context, options) {
    const result = Reflect.apply(runInContext, this, [context, options])
    for (const key of Object.keys(found)) Object.defineProperty(context, key, { value: found[key], configurable: true })
    return result
  }
}
`

/** The shipped child with its first wall torn down: snippets find its own realm's process as `P`, and a working require as `R`. */
export function breachedChild(directory: string): ChildFile {
  const directive = '"use strict";'
  const program = readFileSync(shippedChild.file, 'utf8')
  if (!program.startsWith(directive)) throw new Error('the child is not strict')
  const file = join(directory, 'code-child.cjs')
  writeFileSync(file, directive + breach + program)
  return { file, reads: null }
}
