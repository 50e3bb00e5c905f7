import { once } from 'node:events'

/** Writes text and waits where the reader is slow, so that a long stream never piles up in memory; what nobody can read on stderr is dropped. */
export async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (stream.errored || stream.write(text)) return
  try {
    await once(stream, 'drain')
  } catch (error) {
    if (stream !== process.stderr) throw error
  }
}

/** Writes text as whole lines; empty text writes nothing. */
export async function writeText(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (text !== '') await write(stream, text.endsWith('\n') ? text : `${text}\n`)
}

/** Writes one JSON value, indented by two; `undefined` becomes null because a reader always gets a value. */
export async function writeJson(value: unknown): Promise<void> {
  await write(process.stdout, `${JSON.stringify(value, null, 2) ?? 'null'}\n`)
}

/** Writes NDJSON: each value as one line, as soon as it is there. */
export async function writeLines(values: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  for await (const value of values) await write(process.stdout, `${JSON.stringify(value) ?? 'null'}\n`)
}
