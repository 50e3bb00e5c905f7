import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'
import { configSchema } from '../src/config/schema.ts'
import { toSchemaNode, toStartCheck } from '../src/config/schema/derive.ts'

const root = join(import.meta.dirname, '..')

/** Every checked-in generated file with the text it must have; a test compares them. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const schema = toSchemaNode(configSchema)
  const files = {
    'src/config/generated/config-schema.json': schema,
    'src/config/generated/start-check.json': toStartCheck(schema),
  }
  const style: FormatConfig = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'))
  const texts = new Map<string, string>()
  for (const [file, content] of Object.entries(files)) {
    const { code, errors } = await format(file, JSON.stringify(content, null, 2), style)
    if (errors.length > 0) throw new Error(`cannot format ${file}: ${errors[0]?.message}`)
    texts.set(file, code)
  }
  return texts
}

if (import.meta.main) {
  for (const [file, text] of await generatedFiles()) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}
