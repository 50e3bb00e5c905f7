import { Type, type Static } from 'typebox'
import { amount, flag, ids, open, optional, record, secret, text, whole } from './kit.ts'
import { group } from './policy.ts'

const groups = record(group, 'Chat groups by id; * is any other group.')

const account = {
  enabled: flag('Use the account.'),
  allowFrom: ids('Senders that may talk to the agent; * is everyone.'),
  groupAllowFrom: ids('Senders that may talk to the agent in groups.'),
  groups,
}

const defaultAccount = text('Account used when nothing names one.')

const channel = open(
  {
    ...account,
    defaultAccount,
    accounts: record(open(account), 'Accounts of the channel by id.'),
  },
  { title: 'Channel' },
)

const webhookAccount = {
  ...account,
  url: text('Address that messages are posted to, as JSON.'),
  secret: secret('Key of the HMAC-SHA256 signature in the header x-openclaw-signature.'),
  headers: record(Type.Unknown(), 'More request headers.', { sensitive: true }),
  timeoutSeconds: amount('How long one attempt may take.', { default: 10 }),
  retries: whole('Attempts after a first one that failed.', { minimum: 0, maximum: 10, default: 3 }),
}

const outboxAccount = {
  ...account,
  file: text('File that messages are appended to, from the state directory.'),
  maxFileBytes: whole('Size at which the file gives way to a new one.', { minimum: 1024 }),
}

const webhook = open(
  { ...webhookAccount, defaultAccount, accounts: record(open(webhookAccount), 'Receivers by id.') },
  { title: 'WebhookChannel' },
)

const outbox = open(
  { ...outboxAccount, defaultAccount, accounts: record(open(outboxAccount), 'Files by id.') },
  { title: 'OutboxChannel' },
)

type Channels = Record<string, Static<typeof channel>> & {
  webhook?: Static<typeof webhook>
  outbox?: Static<typeof outbox>
}

/** `channels`: one object per channel; keys of a channel belong to its plugin, those of `webhook` and `outbox` to this program. */
export const channels = Type.Unsafe<Channels>(
  Type.Object(
    {
      webhook: optional(webhook, 'Messages to an address of HTTP.'),
      outbox: optional(outbox, 'Messages to a file.'),
    },
    { additionalProperties: channel, description: 'Channels by id.' },
  ),
)
