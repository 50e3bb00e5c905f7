import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'

interface Account {
  readonly enabled?: boolean | undefined
}

/** A built-in channel as the config has it: settings of its own, and of accounts that differ in some of them. */
export interface AccountSettings<Own extends Account> {
  readonly defaultAccount?: string | undefined
  readonly accounts?: Readonly<Record<string, Own>> | undefined
}

/** The settings of an account over those of its channel; without a name those of `defaultAccount`, else of the channel alone. Error: INPUT_INVALID for one that is unknown or off. */
export function accountOf<Own extends Account>(
  channel: string,
  settings: Own & AccountSettings<Own>,
  accountId: string | null,
): Own {
  const { accounts = {}, defaultAccount, ...shared } = settings
  const id = accountId ?? defaultAccount ?? null
  if (id === null) return settings
  const own = Object.hasOwn(accounts, id) ? accounts[id] : undefined
  if (own !== undefined && own.enabled !== false) return { ...settings, ...shared, ...own }
  // The channel itself is an account, too.
  if (own === undefined && id === 'default') return settings
  const problem = own === undefined ? 'has no account' : 'has switched off the account'
  throw new OpenClawError('INPUT_INVALID', `channel ${channel} ${problem} ${showName(id)}`, {
    hints: Object.keys(accounts).map((name) => `accountId: ${showName(name)}`),
    data: { channel, accountId: id },
  })
}
