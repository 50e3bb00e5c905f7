import { configJsonSchema } from '../../src/config/json-schema.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'

export default class ConfigSchema extends BaseCommand<typeof ConfigSchema> {
  static override summary = 'Print the JSON Schema of the config, for editors and CI.'
  static override examples = [
    'openclaw config schema > openclaw.schema.json',
    'openclaw config schema --edition 2026.9 | jq ".properties | keys"',
  ]

  protected async execute() {
    const data = configJsonSchema(this.flags.edition)
    return { data, exact: true, human: () => JSON.stringify(data, null, 2) }
  }
}
