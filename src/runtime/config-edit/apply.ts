import { canonicalPath } from '../../config/edit/canonical.ts'
import { routeAppend, routeSet, routeUnset, type FileEdit } from '../../config/edit/route.ts'
import { readValue } from '../../config/edit/value-text.ts'
import type { Step } from '../../config/path-syntax.ts'
import { appendIn, getIn, hasIn, isRecord, resolveSteps, setIn, unsetIn } from '../../config/path-value.ts'
import { isSame } from '../../config/same-value.ts'
import { schemaAt } from '../../config/schema-walk.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { formatPath, type Location, type Path } from '../../kernel/path.ts'
import { absentPath, unknownPath } from '../config-view.ts'
import { changesBetween } from './changes.ts'
import { mergePatch } from './merge-patch.ts'
import type { Expectation, Given, Operation } from './operation.ts'
import { refuseDrops } from './protect.ts'
import { holdsPlaceholder, restore } from './restore.ts'
import { changeElsewhere, sharedFile } from './shared-file.ts'
import { holdsDirective, type Workspace } from './workspace.ts'

function locate(workspace: Workspace, steps: readonly Step[]): Path {
  const authored = workspace.authored()
  return canonicalPath(authored, resolveSteps(authored, steps), workspace.edition)
}

/** What is there already may be changed whatever the schema says; a new path must be one that a config can have. */
function requireKnown(workspace: Workspace, path: Path): void {
  const { edition } = workspace
  const length = path.findIndex((_segment, at) => schemaAt(path.slice(0, at + 1), edition) === null) + 1
  if (length === 0 || hasIn(workspace.authored(), path.slice(0, length))) return
  throw unknownPath(path, edition) ?? unknownPath(path.slice(0, length), edition) ?? new Error('unreachable')
}

function requireExpected(workspace: Workspace, path: Path, expect: Expectation | undefined): void {
  if (expect === undefined) return
  const authored = getIn(workspace.authored(), path)
  const resolved = getIn(workspace.current().config, path)
  const holds = expect.absent
    ? authored === undefined
    : [authored, resolved].some((value) => isSame(value, expect.value))
  if (holds) return
  const flag = expect.absent ? '--expect-absent' : '--expect-current'
  throw new OpenClawError(
    'CONFIG_CONFLICT',
    `${formatPath(path)} is not as ${flag} says; nothing was written`,
    {
      hints: [`openclaw config get ${formatPath(path)} prints what it is`],
      data: { path: formatPath(path) },
    },
  )
}

async function read(workspace: Workspace, given: Given, path: Path): Promise<unknown> {
  if ('value' in given) return given.value
  const typed = await readValue(given.text, path, { edition: workspace.edition, strict: given.strict })
  if (typed.problem !== null) workspace.tookAsText(typed.problem)
  return typed.value
}

/** Puts back what printing took out of a value: hidden secrets and references to variables. */
async function keepAuthored(workspace: Workspace, value: unknown, path: Path): Promise<unknown> {
  if (holdsPlaceholder(value)) await workspace.settle(true)
  const { config } = workspace.current()
  const restored = restore(value, path, { authored: workspace.authored(), config })
  for (const at of restored.kept) {
    workspace.note(
      'reference-kept',
      `${formatPath(at)} has this value from a variable already, so the reference to it stays`,
    )
  }
  return restored.value
}

/** What one file no longer says, an included one may have said all along. */
function shinesThrough(path: Path, owner: Location | null, other: Location | null): OpenClawError {
  const place = (location: Location | null): string =>
    location === null ? 'another file' : `${location.file}:${location.line}:${location.column}`
  return new OpenClawError(
    'CONFIG_CONFLICT',
    `${path.length === 0 ? 'the config' : formatPath(path)} would not become that: behind ${place(owner)} stands ${place(other)}, which would show through; nothing was written`,
    { hints: [`change ${place(other)} first, or set single values`], data: { path: formatPath(path) } },
  )
}

/** Makes edits and sees to it that the merged config then says what was asked for. */
async function carryOut(
  workspace: Workspace,
  edits: readonly FileEdit[],
  path: Path,
  wanted: unknown,
): Promise<void> {
  const owner = workspace.current().locate(path)
  await workspace.edit(edits, path)
  const { documents } = workspace.current()
  if (documents.size === 0 || holdsDirective(wanted) || isSame(workspace.authored(), wanted)) return
  const elsewhere = changeElsewhere(wanted, workspace.authored(), path)
  if (owner !== null && elsewhere !== null) throw sharedFile(path, owner, elsewhere)
  const [change] = changesBetween(wanted, workspace.authored())
  throw shinesThrough(path, owner, workspace.current().locate(change?.path ?? path))
}

async function set(
  workspace: Workspace,
  { steps, given, expect }: Extract<Operation, { op: 'set' }>,
  replace: boolean,
): Promise<void> {
  const path = locate(workspace, steps)
  requireKnown(workspace, path)
  requireExpected(workspace, path, expect)
  const value = await keepAuthored(workspace, await read(workspace, given, path), path)
  const authored = workspace.authored()
  const before = getIn(authored, path)
  if (isSame(before, value)) return
  if (path.length === 0 && !isRecord(value)) {
    throw new OpenClawError('INPUT_INVALID', 'a config must be an object; nothing was written')
  }
  const wanted = setIn(authored, path, value)
  if (!replace) refuseDrops(authored, wanted, path)
  await carryOut(workspace, routeSet(workspace.routable(), path, value), path, wanted)
  workspace.record({ path, before, after: value }, path)
}

async function append(
  workspace: Workspace,
  { steps, given }: Extract<Operation, { op: 'append' | 'remove' }>,
): Promise<void> {
  const path = locate(workspace, steps)
  requireKnown(workspace, path)
  const list = getIn(workspace.authored(), path)
  if (list !== undefined && !Array.isArray(list)) throw noList(path)
  const at = [...path, list?.length ?? 0]
  const typed = await read(workspace, given, at)
  // Taken as text, a list would become one entry with brackets in it, which nobody means.
  if ('text' in given && typed === given.text && /^\s*\[.*\]\s*$/s.test(typed)) throw oneEntry(path)
  const item = await keepAuthored(workspace, typed, at)
  if (isSet(path) && list?.some((known) => isSame(known, item)) === true) return
  const wanted = appendIn(workspace.authored(), path, item)
  await carryOut(workspace, routeAppend(workspace.routable(), path, item), path, wanted)
  workspace.record({ path, before: list, after: [...(list ?? []), item] }, at)
}

/** A list of names is a set, and what is in it already is not put in twice; the arguments of a program may well repeat. */
function isSet(path: Path): boolean {
  return path.at(-1) !== 'args'
}

function oneEntry(path: Path): OpenClawError {
  return new OpenClawError(
    'INPUT_INVALID',
    `an entry of ${formatPath(path)} is a string, and this is a list; nothing was written`,
    { hints: ['repeat --append for each entry', `a text in brackets needs quotes: '"[text]"'`] },
  )
}

function noList(path: Path): OpenClawError {
  return new OpenClawError(
    'PATH_INVALID',
    `${formatPath(path)} is no list, so it has no entries to add or remove`,
    {
      hints: [`openclaw config get ${formatPath(path)} prints what it is`],
      data: { path: formatPath(path) },
    },
  )
}

async function remove(
  workspace: Workspace,
  { steps, given }: Extract<Operation, { op: 'append' | 'remove' }>,
): Promise<void> {
  const path = locate(workspace, steps)
  const list = getIn(workspace.authored(), path)
  if (list === undefined) throw absentPath(workspace.current(), path, workspace.edition)
  if (!Array.isArray(list)) throw noList(path)
  const typed = await read(workspace, given, [...path, 0])
  const wanted = 'text' in given ? [typed, given.text] : [typed]
  const resolved = getIn(workspace.current().config, path)
  const isWanted = (item: unknown, at: number): boolean =>
    [item, getIn(resolved, [at])].some((form) => wanted.some((value) => isSame(form, value)))
  const found = list.flatMap((item: unknown, at) => (isWanted(item, at) ? [at] : []))
  if (found.length === 0) {
    throw new OpenClawError('PATH_UNSET', `${formatPath(path)} has no such entry; nothing was written`, {
      hints: [`openclaw config get ${formatPath(path)} prints its entries`],
      data: { path: formatPath(path) },
    })
  }
  for (const at of found.toReversed()) {
    const without = unsetIn(workspace.authored(), [...path, at])
    await carryOut(workspace, routeUnset(workspace.routable(), [...path, at]), path, without)
  }
  workspace.record({ path, before: list, after: list.filter((_item, at) => !found.includes(at)) })
}

async function unset(workspace: Workspace, steps: readonly Step[]): Promise<void> {
  const path = locate(workspace, steps)
  const before = getIn(workspace.authored(), path)
  if (path.length === 0) {
    throw new OpenClawError('PATH_INVALID', 'the whole config cannot be unset', {
      hints: ['name the path to unset', 'config patch removes several keys at once'],
    })
  }
  if (before === undefined) throw absentPath(workspace.current(), path, workspace.edition)
  const wanted = unsetIn(workspace.authored(), path)
  await carryOut(workspace, routeUnset(workspace.routable(), path), path, wanted)
  workspace.record({ path, before, after: undefined })
}

async function merge(
  workspace: Workspace,
  { patch, byId }: Extract<Operation, { op: 'merge' }>,
  replace: boolean,
): Promise<void> {
  if (!isRecord(patch)) {
    throw new OpenClawError('INPUT_INVALID', 'a patch must be an object', {
      hints: ['write for example { tools: { profile: "coding" } }; null deletes a key'],
    })
  }
  const authored = workspace.authored()
  const wanted = await keepAuthored(workspace, mergePatch(authored, patch, byId), [])
  const parts = changesBetween(authored, wanted)
  for (const { path, before, after } of parts) {
    if (after !== undefined) requireKnown(workspace, path)
    // Objects were merged key by key; only a list can lose entries that nobody named.
    if (!replace && Array.isArray(before) && Array.isArray(after)) {
      refuseDrops(authored, wanted, path, byId ? undefined : '--merge-by-id changes list entries by their id')
    }
  }
  if (parts.length === 0) return
  await carryOut(workspace, routeSet(workspace.routable(), [], wanted), [], wanted)
  for (const part of parts) workspace.record(part, ...(part.after === undefined ? [] : [part.path]))
}

/** Carries out one operation. Errors: PATH_INVALID, PATH_UNKNOWN, PATH_UNSET, CONFIG_CONFLICT, INPUT_INVALID, USAGE for entries that would be dropped without `replace`. */
export async function applyOperation(
  workspace: Workspace,
  operation: Operation,
  replace: boolean,
): Promise<void> {
  await workspace.settle()
  switch (operation.op) {
    case 'set':
      return set(workspace, operation, replace)
    case 'append':
      return append(workspace, operation)
    case 'remove':
      return remove(workspace, operation)
    case 'unset':
      return unset(workspace, operation.steps)
    case 'merge':
      return merge(workspace, operation, replace)
  }
}
