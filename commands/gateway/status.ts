import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'
import { gatewayFlags } from '../../src/ui/gateway-flags.ts'

export default class GatewayStatus extends BaseCommand<typeof GatewayStatus> {
  static override summary = 'Say whether a Gateway runs, and what it serves.'
  static override examples = [
    'openclaw gateway status',
    'openclaw gateway status --url ws://127.0.0.1:18789 --token-file ~/gateway-token --json',
  ]
  static override flags = defineFlags({ ...gatewayFlags })

  protected async execute() {
    const { edition, json: _json, 'token-file': tokenFile, ...flags } = this.flags
    const { withGateway } = await import('../../src/runtime/gateway/ask.ts')
    const ask = {
      ...flags,
      tokenFile,
      options: { ...this.searchOptions(), edition },
      scopes: ['operator.read'] as const,
      version: this.config.version,
      signal: this.signal,
    }
    const status = await withGateway(ask, (client) => client.call('status', {}))
    return {
      data: status,
      human: async (ui: Ui) => {
        const { renderStatus } = await import('../../src/ui/render/gateway.ts')
        return renderStatus(status, ui)
      },
    }
  }
}
