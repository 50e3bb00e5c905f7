import { Type } from 'typebox'
import { choice, names, open, optional, record, strict, type ObjectMarks } from './kit.ts'

export const profileIds: ['minimal', 'coding', 'messaging', 'full'] = [
  'minimal',
  'coding',
  'messaging',
  'full',
]

/** An object with both lists filled is an error: one list says "only these", the other "these too". */
export const oneAllowList = {
  rule: 'one-allow-list',
  not: {
    required: ['allow', 'alsoAllow'],
    properties: {
      allow: { type: 'array', minItems: 1 },
      alsoAllow: { type: 'array', minItems: 1 },
    },
  },
} satisfies ObjectMarks

/** Other words people use for the three lists. */
export const listWords = {
  denied: 'deny',
  blocked: 'deny',
  block: 'deny',
  blocklist: 'deny',
  exclude: 'deny',
  disabled: 'deny',
  include: 'allow',
  enabled: 'allow',
  allowlist: 'allow',
}

export const policyFields = {
  allow: names(
    'Only these tools: names, globs with *, group:…, plugin ids. An empty list restricts nothing.',
  ),
  alsoAllow: names(
    'Added to the profile, and to the allow list where one is inherited. Alone it never restricts.',
  ),
  deny: names('Never these tools. Deny beats every allow, at every level.'),
}

export const profileField = {
  profile: choice(
    profileIds,
    'Named base allow list; the other lists narrow it, alsoAllow widens it. Unset means no profile.',
    {
      words: {
        default: 'full',
        all: 'full',
        any: 'full',
        everything: 'full',
        unrestricted: 'full',
        '*': 'full',
        none: 'minimal',
        safe: 'minimal',
        restricted: 'minimal',
        readonly: 'minimal',
        developer: 'coding',
        dev: 'coding',
        chat: 'messaging',
        messages: 'messaging',
      },
    },
  ),
}

/** `ToolPolicy`: the three lists of one scope. */
export const toolPolicy = strict(policyFields, {
  ...oneAllowList,
  title: 'ToolPolicy',
  misplaced: listWords,
})

/** `ProviderToolPolicy`: the three lists and a profile. */
export const providerToolPolicy = strict(
  { ...profileField, ...policyFields },
  { ...oneAllowList, title: 'ProviderToolPolicy', misplaced: listWords },
)

export const senderPolicies = record(
  Type.Union([toolPolicy, Type.Null()]),
  'Tool lists per sender. Keys: channel:<channel>:<id>, id:, e164:, username:, name:, or *. The first match is used alone.',
)

export const providerPolicies = record(
  providerToolPolicy,
  'Tool lists per provider or provider/model. The provider/model key is used instead of the provider key.',
)

export const sandboxTools = Type.Optional(
  strict(
    { tools: optional(toolPolicy, 'Lists for sandboxed sessions.') },
    {
      description: 'Lists for sandboxed sessions; each list replaces the built-in one.',
      misplaced: {
        allow: 'sandbox.tools.allow',
        alsoAllow: 'sandbox.tools.alsoAllow',
        deny: 'sandbox.tools.deny',
      },
    },
  ),
)

/** Lists of a chat group, with per-sender lists that win over it. */
export const group = open(
  { tools: optional(toolPolicy, 'Lists for the group.'), toolsBySender: senderPolicies },
  {
    title: 'ChatGroup',
    slips: true,
    misplaced: { allow: 'tools.allow', alsoAllow: 'tools.alsoAllow', deny: 'tools.deny' },
  },
)
