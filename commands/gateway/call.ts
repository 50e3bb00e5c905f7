import { string as stringArg } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { gatewayFlags } from '../../src/ui/gateway-flags.ts'

export default class GatewayCall extends BaseCommand<typeof GatewayCall> {
  static override summary = 'Call a method of a running Gateway and print what it answers.'
  static override examples = [
    'openclaw gateway call health',
    'openclaw gateway call tools.effective --params \'{ sessionKey: "main" }\'',
    'openclaw gateway call tools.invoke --params \'{ name: "note_add", args: { text: "x" } }\'',
  ]
  static override args = {
    method: stringArg({ required: true, description: 'Name of the method, such as tools.catalog.' }),
  }
  static override flags = defineFlags({
    ...gatewayFlags,
    params: string({ helpValue: 'JSON5', summary: 'Parameters, an object; - reads them from stdin.' }),
  })

  protected async execute() {
    const { edition, json: _json, params: text, timeout, 'token-file': tokenFile, ...flags } = this.flags
    const [{ withGateway }, { readCallArgs }] = await Promise.all([
      import('../../src/runtime/gateway/ask.ts'),
      import('../../src/runtime/call-input.ts'),
    ])
    const params = await readCallArgs(text, {}, () => process.stdin, '--params')
    const ask = {
      ...flags,
      tokenFile,
      options: { ...this.searchOptions(), edition },
      scopes: ['operator.admin'] as const,
      version: this.config.version,
      signal: this.signal,
      timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    }
    const payload = await withGateway(ask, (client) => client.call(this.args.method, params))
    return { data: payload, human: () => JSON.stringify(payload, null, 2) }
  }
}
