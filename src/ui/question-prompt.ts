import { createInterface } from 'node:readline/promises'
import { cleanLine, cleanText, showName } from '../kernel/untrusted-text.ts'
import type { AskUser, UserQuestion } from '../tools/sessions/ask.ts'

const longestQuestion = 2_000
const longestAnswer = 20_000

/** The question as a person reads it, its choices numbered; every word of it is made harmless. */
export function questionText({ sessionKey, question, choices }: UserQuestion): string {
  return [
    `${showName(sessionKey, 200)} asks: ${cleanText(question, longestQuestion)}`,
    ...choices.map((choice, at) => `  ${at + 1}) ${cleanLine(choice, 200)}`),
  ].join('\n')
}

/** What a typed answer means: the number of a choice stands for it, anything else for itself; null for nothing. */
export function readReply(typed: string, choices: readonly string[]): string | null {
  const text = typed.trim()
  const chosen = /^\d$/.test(text) ? choices[Number(text) - 1] : undefined
  return chosen ?? (text === '' ? null : text.slice(0, longestAnswer))
}

/** Asks the person at the terminal; undefined where there is none. */
export function terminalQuestion(): AskUser | undefined {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  return async (question, signal) => {
    const lines = createInterface({ input: stdin, output: stderr })
    try {
      stderr.write(`${questionText(question)}\n`)
      return readReply(await lines.question('Answer: ', { signal }), question.choices)
    } catch {
      // Ctrl-D, or nobody answered in time.
      return null
    } finally {
      lines.close()
    }
  }
}
