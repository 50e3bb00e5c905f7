const sensitive =
  /tokens?$|password|passwd|passphrase|secret|api[^a-z0-9]?key|encrypt[^a-z0-9]?key|private[^a-z0-9]?key|serviceaccount(?:ref)?$|credential|^(?:proxy[_-]?)?authorization$|^(?:set[_-]?)?cookie$/i

const harmless =
  /(?:max(?:output|input|completion)?tokens|contexttokens|totaltokens|tokencount|tokenlimit|tokenbudget|passwordfile)$/i

const secretVariable = /(?:^|_)(?:KEY|PASS|PWD|PAT|AUTH|COOKIE|DSN)(?:_|$)|TOKEN|BEARER/

/** Whether a key names a secret: tokens, passwords, keys, credentials; token counts and file names are not. */
export function isSensitiveKey(key: string): boolean {
  return sensitive.test(key) && !harmless.test(key.replaceAll(/[^A-Za-z0-9]/g, ''))
}

/** Whether an environment variable is likely to hold a secret, by its name. */
export function isSensitiveVariable(name: string): boolean {
  return isSensitiveKey(name) || secretVariable.test(name.toUpperCase())
}
