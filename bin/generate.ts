import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format } from 'oxfmt'
import { configSchema } from '../src/config/schema.ts'
import { toSchemaNode, toStartCheck } from '../src/config/schema/derive.ts'
import type { SchemaNode } from '../src/config/schema-node.ts'
import { resultSchemas, type ResultSchema } from '../src/ui/results/schemas.ts'

const root = join(import.meta.dirname, '..')

/** A module whose only export is a schema; typed, so that the compiler checks the generated data too. */
function schemaModule(name: string, schema: SchemaNode): string {
  return `import type { SchemaNode } from '../schema-node.ts'

/** Generated from src/config/schema.ts by bin/generate.ts. */
export const ${name}: SchemaNode = ${JSON.stringify(schema)}
`
}

/** A schema as other programs read it. */
function resultSchema({ title, schema }: ResultSchema): string {
  return JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema })
}

/** Every checked-in generated file with the text it must have; a test compares them. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const schema = toSchemaNode(configSchema)
  const files = {
    'src/config/generated/config-schema.ts': schemaModule('configSchema', schema),
    'src/config/generated/start-check.ts': schemaModule('startCheck', toStartCheck(schema)),
    ...Object.fromEntries(
      Object.entries(resultSchemas).map(([name, each]) => [
        `src/ui/results/generated/${name}.json`,
        resultSchema(each),
      ]),
    ),
  }
  const style: Parameters<typeof format>[2] = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'))
  const texts = new Map<string, string>()
  for (const [file, text] of Object.entries(files)) {
    const { code, errors } = await format(file, text, style)
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
