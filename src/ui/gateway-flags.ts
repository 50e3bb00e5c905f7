import { integer, string } from '@oclif/core/flags'
import { defineFlags, word } from './flags.ts'

const helpGroup = 'GATEWAY'

/** Flags of the commands that speak to a running Gateway. */
export const gatewayFlags = defineFlags({
  url: word({
    helpGroup,
    helpValue: 'URL',
    env: 'OPENCLAW_GATEWAY_URL',
    summary: 'Gateway to ask; else the one of this config.',
  }),
  port: integer({
    helpGroup,
    helpValue: 'N',
    min: 0,
    max: 65_535,
    summary: 'Port of a Gateway on this machine.',
  }),
  'token-file': word({ helpGroup, helpValue: 'FILE', summary: 'File with the token or password.' }),
  token: string({
    helpGroup,
    helpValue: 'TOKEN',
    env: 'OPENCLAW_GATEWAY_TOKEN',
    summary: 'Token; other users may see it in the list of processes.',
  }),
  password: string({
    helpGroup,
    helpValue: 'TEXT',
    env: 'OPENCLAW_GATEWAY_PASSWORD',
    summary: 'Password; other users may see it in the list of processes.',
  }),
})

/** Flags of commands about tools that can be answered by a running Gateway. */
export const askGatewayFlags = defineFlags({
  gateway: word({ helpGroup, helpValue: 'URL', summary: 'Ask this Gateway instead of the local files.' }),
  'token-file': word({ helpGroup, helpValue: 'FILE', summary: 'File with its token or password.' }),
})
