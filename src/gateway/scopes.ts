/** What a connection may do (gateway facts §1.3). */
export const operatorScopes = [
  'operator.admin',
  'operator.read',
  'operator.write',
  'operator.approvals',
  'operator.questions',
  'operator.pairing',
  'operator.talk',
  'operator.talk.secrets',
  'operator.sessions.read',
  'operator.sessions.write',
] as const

export type Scope = (typeof operatorScopes)[number]

/** What whoever has the shared secret gets unless less is asked for (gateway facts §1.7). */
export const sharedSecretScopes: readonly Scope[] = [
  'operator.admin',
  'operator.read',
  'operator.write',
  'operator.approvals',
  'operator.questions',
  'operator.pairing',
  'operator.talk.secrets',
]

/** Roles of a connection; only operators have methods here. */
export const roles = ['operator', 'node', 'worker'] as const

const implied: Readonly<Partial<Record<Scope, readonly Scope[]>>> = {
  'operator.admin': operatorScopes,
  'operator.write': ['operator.read', 'operator.talk', 'operator.sessions.write', 'operator.sessions.read'],
  'operator.read': ['operator.sessions.read'],
  'operator.sessions.write': ['operator.sessions.read'],
}

/** Known scopes among some texts, in the order of the list of all. */
export function knownScopes(texts: readonly string[]): readonly Scope[] {
  return operatorScopes.filter((scope) => texts.includes(scope))
}

/** Whether granted scopes include one, by themselves or because another one implies it. */
export function holds(granted: readonly Scope[], scope: Scope): boolean {
  return granted.some((each) => each === scope || (implied[each] ?? []).includes(scope))
}

/** Whoever asks something of the server. */
export interface Caller {
  readonly scopes: readonly Scope[]
  /** Names the connection in logs. */
  readonly connId: string
  readonly origin: 'rpc' | 'http'
  /** Kind of program that it says it is. */
  readonly clientId?: string
}

/** Whether a caller counts as the owner of this program (gateway facts §1.6). */
export function isOwner(caller: Caller): boolean {
  return holds(caller.scopes, 'operator.admin')
}
