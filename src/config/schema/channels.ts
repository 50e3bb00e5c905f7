import { Type } from 'typebox'
import { flag, ids, open, record, text } from './kit.ts'
import { group } from './policy.ts'

const groups = record(group, 'Chat groups by id; * is any other group.')

const account = {
  enabled: flag('Use the account.'),
  allowFrom: ids('Senders that may talk to the agent; * is everyone.'),
  groupAllowFrom: ids('Senders that may talk to the agent in groups.'),
  groups,
}

/** `channels`: one object per channel; keys of a channel belong to its plugin. */
export const channels = Type.Record(
  Type.String(),
  open(
    {
      ...account,
      defaultAccount: text('Account used when nothing names one.'),
      accounts: record(open(account), 'Accounts of the channel by id.'),
    },
    { title: 'Channel' },
  ),
  { description: 'Channels by id.' },
)
