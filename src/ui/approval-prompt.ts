import { createInterface } from 'node:readline/promises'
import type { Prompt } from '../calls/approvals/desk.ts'
import { mayLast, type ApprovalAnswer, type ApprovalQuestion } from '../calls/approvals/types.ts'
import { redact } from '../config/redact.ts'
import { cleanText, showName } from '../kernel/untrusted-text.ts'

const longestArgs = 4_000

/** The question as a person reads it; every word of plugins and models in it is made harmless. */
export function approvalText({ tool, args, wanted }: ApprovalQuestion): string {
  const shown = cleanText(JSON.stringify(redact(args), null, 2), longestArgs)
  return [
    ...wanted.flatMap(({ pluginId, title, description, severity }) => [
      `${severity === 'critical' ? 'CRITICAL: ' : ''}${cleanText(title, 80)} (asked by ${showName(pluginId)})`,
      ...(description === '' ? [] : [cleanText(description, 512)]),
    ]),
    `tool ${showName(tool.name)} (${showName(tool.id, 200)}) with ${shown}`,
  ].join('\n')
}

/** What a typed answer means; anything but a clear yes is a no. */
export function readAnswer(typed: string): ApprovalAnswer {
  const word = typed.trim().toLowerCase()
  if (word === 'y' || word === 'yes') return 'allow-once'
  return word === 'a' || word === 'always' ? 'allow-always' : 'deny'
}

/** Asks the person at the terminal; undefined where there is none. */
export function terminalPrompt(): Prompt | undefined {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  return async (question, signal) => {
    const lines = createInterface({ input: stdin, output: stderr })
    try {
      stderr.write(`${approvalText(question)}\n`)
      const answers = mayLast(question.wanted) ? '[y]es, [a]lways, [N]o' : '[y]es, [N]o'
      return readAnswer(await lines.question(`Allow? ${answers}: `, { signal }))
    } catch {
      // Ctrl-D, or nobody answered in time.
      return null
    } finally {
      lines.close()
    }
  }
}
