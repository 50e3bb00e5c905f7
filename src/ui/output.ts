import { write, type OutputName } from './streams.ts'

/** Writes text as whole lines; empty text writes nothing. */
export async function writeText(name: OutputName, text: string): Promise<void> {
  if (text !== '') await write(name, text.endsWith('\n') ? text : `${text}\n`)
}

/** Writes one JSON value, indented by two; `undefined` becomes null because a reader always gets a value. */
export async function writeJson(value: unknown): Promise<void> {
  await write('stdout', `${JSON.stringify(value, null, 2) ?? 'null'}\n`)
}

/** Writes NDJSON: each value as one line, as soon as it is there. */
export async function writeLines(values: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  for await (const value of values) await write('stdout', `${JSON.stringify(value) ?? 'null'}\n`)
}
