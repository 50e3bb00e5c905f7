import type { Locator, Page } from 'playwright-core'
import type { Args } from '../../calls/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { within } from './within.ts'

/** Milliseconds of an act that names none. */
const actMs = 10_000

/** Does one thing on a page. INPUT_INVALID where an argument is missing, TOOL_FAILED for an element that is not there, TIMEOUT where it cannot be done in time. */
export async function act(page: Page, args: Args, signal: AbortSignal): Promise<string> {
  const timeout = typeof args['timeoutMs'] === 'number' ? args['timeoutMs'] : actMs
  const { kind } = args
  switch (kind) {
    case 'click': {
      const { target, name } = await element(page, args['ref'], timeout, signal)
      const button = args['button'] === 'right' || args['button'] === 'middle' ? args['button'] : 'left'
      const click =
        args['doubleClick'] === true
          ? target.dblclick({ button, timeout })
          : target.click({ button, timeout })
      await within(`the click on ${name}`, timeout, signal, click)
      return `clicked ${name}`
    }
    case 'type': {
      const { target, name } = await element(page, args['ref'], timeout, signal)
      const text = textOf(args, 'text')
      await within(`typing into ${name}`, timeout, signal, target.fill(text, { timeout }))
      if (args['submit'] === true) await within('Enter', timeout, signal, target.press('Enter', { timeout }))
      return `typed into ${name}`
    }
    case 'press': {
      const key = textOf(args, 'key')
      if (args['ref'] === undefined) {
        await within(`pressing ${key}`, timeout, signal, page.keyboard.press(key))
        return `pressed ${key}`
      }
      const { target, name } = await element(page, args['ref'], timeout, signal)
      await within(`pressing ${key}`, timeout, signal, target.press(key, { timeout }))
      return `pressed ${key} on ${name}`
    }
    case 'hover': {
      const { target, name } = await element(page, args['ref'], timeout, signal)
      await within(`moving to ${name}`, timeout, signal, target.hover({ timeout }))
      return `moved to ${name}`
    }
    case 'select': {
      const { values } = args
      if (!Array.isArray(values)) throw missing('values', 'select')
      const { target, name } = await element(page, args['ref'], timeout, signal)
      const chosen = await within(
        `selecting in ${name}`,
        timeout,
        signal,
        target.selectOption(values.map(String), { timeout }),
      )
      return `selected ${chosen.length} of ${values.length} in ${name}`
    }
    case 'fill': {
      const { fields } = args
      if (!Array.isArray(fields)) throw missing('fields', 'fill')
      for (const field of fields) {
        const { ref, value } = Object(field)
        const { target, name } = await element(page, ref, timeout, signal)
        await within(`filling ${name}`, timeout, signal, fill(target, String(value), timeout))
      }
      return `filled ${fields.length} fields`
    }
    case 'wait':
      return waitFor(page, args, timeout, signal)
    default:
      throw missing('kind', 'act')
  }
}

/** Puts a value into a field, whatever it is. */
async function fill(target: Locator, value: string, timeout: number): Promise<void> {
  // It runs in the page, of whose types this program knows nothing.
  const read = (node: object): string => `${Reflect.get(node, 'nodeName')} ${Reflect.get(node, 'type')}`
  const kind = await target.evaluate(read, undefined, { timeout })
  if (/^SELECT/i.test(kind)) await target.selectOption(value, { timeout })
  else if (/^INPUT (?:checkbox|radio)$/i.test(kind))
    await target.setChecked(/^(?:true|on|yes|1)$/i.test(value), { timeout })
  else await target.fill(value, { timeout })
}

async function waitFor(page: Page, args: Args, timeout: number, signal: AbortSignal): Promise<string> {
  const { text, timeMs } = args
  if (typeof text === 'string' && text !== '') {
    await within(`waiting for the text`, timeout, signal, page.getByText(text).first().waitFor({ timeout }))
    return 'the text is there'
  }
  if (typeof timeMs !== 'number') throw missing('text or timeMs', 'wait')
  await within('waiting', timeMs + 1_000, signal, page.waitForTimeout(timeMs))
  return `waited ${timeMs} ms`
}

/** An element by the ref that a snapshot gave it. */
async function element(
  page: Page,
  ref: unknown,
  timeout: number,
  signal: AbortSignal,
): Promise<{ readonly target: Locator; readonly name: string }> {
  if (typeof ref !== 'string') throw missing('ref', 'this act')
  const name = ref.replace(/^@|^ref=/, '')
  if (!/^(?:f\d+)?e\d+$/.test(name)) {
    throw new OpenClawError('INPUT_INVALID', `${JSON.stringify(ref)} is no ref of a snapshot, such as e12`)
  }
  const target = page.locator(`aria-ref=${name}`)
  // Refs are known since a snapshot; one that is not is told at once instead of waited for.
  const count = await within(
    `looking for ${name}`,
    timeout,
    signal,
    target.count().catch(() => 0),
  )
  if (count > 0) return { target, name }
  throw new OpenClawError('TOOL_FAILED', `the page has no element ${name} now`, {
    hints: ['take a new snapshot: refs change with the page'],
  })
}

function textOf(args: Args, key: string): string {
  const value = args[key]
  if (typeof value === 'string') return value
  throw missing(key, 'this act')
}

function missing(what: string, who: string): OpenClawError {
  return new OpenClawError('INPUT_INVALID', `${who} needs ${what}`)
}
