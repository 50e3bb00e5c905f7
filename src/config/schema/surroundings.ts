import { Type } from 'typebox'
import {
  amount,
  anything,
  choice,
  flag,
  ids,
  list,
  names,
  open,
  optional,
  record,
  secret,
  strict,
  text,
  whole,
} from './kit.ts'

const endpoint = open({ enabled: flag('Serve it.', { default: false }) })

/** `gateway`: the server. Only `gateway.tools` is closed. */
export const gateway = open(
  {
    mode: text('local or remote.'),
    port: whole('Port of the server.', { minimum: 0, maximum: 65535, default: 18789 }),
    bind: text('Address the server listens on.'),
    auth: optional(
      open({
        mode: choice(['none', 'token', 'password', 'trusted-proxy'], 'How clients prove who they are.'),
        token: secret('Token of the clients.'),
        password: secret('Password of the clients.'),
        rateLimit: optional(
          open({
            maxAttempts: whole('Failed logins of an address before it is locked out.', { default: 10 }),
            windowMs: whole('Milliseconds in which they count.', { default: 60_000 }),
            lockoutMs: whole('Milliseconds for which it stays locked out.', { default: 300_000 }),
            exemptLoopback: flag('Lock out no program of this machine.', { default: true }),
          }),
          'What follows failed logins.',
        ),
      }),
      'Who may connect.',
    ),
    http: optional(
      open({
        endpoints: optional(
          open({
            chatCompletions: optional(endpoint, 'POST /v1/chat/completions.'),
            responses: optional(endpoint, 'POST /v1/responses.'),
          }),
          'Endpoints for clients of OpenAI.',
        ),
      }),
      'HTTP.',
    ),
    controlUi: optional(
      open({ allowedOrigins: names('Origins of web pages that may connect besides its own; * means all.') }),
      'Pages that ask the server.',
    ),
    tools: optional(
      strict(
        {
          allow: names('Names lifted from the built-in HTTP deny list; exact, case matters.'),
          deny: names('More names denied over HTTP.'),
        },
        { misplaced: { alsoAllow: 'gateway.tools.allow' } },
      ),
      'Tools over HTTP.',
    ),
  },
  {
    description: 'The server.',
    misplaced: { token: 'gateway.auth.token', password: 'gateway.auth.password', host: 'gateway.bind' },
  },
)

const providerModel = open(
  {
    id: Type.String({ description: 'Id of the model.' }),
    name: text('Display name.'),
    reasoning: flag('The model reasons.', { default: false }),
    input: list(Type.String(), 'What it reads: text, image.', { default: ['text'] }),
    contextWindow: amount('Tokens it reads.'),
    maxTokens: amount('Tokens it writes.', { default: 8192 }),
    cost: optional(
      open(
        {
          input: amount('Of tokens read.'),
          output: amount('Of tokens written.'),
          cacheRead: amount('Of tokens read from the cache of the provider.'),
          cacheWrite: amount('Of tokens written to it.'),
        },
        { slips: true },
      ),
      'Dollars for a million tokens.',
    ),
    compat: optional(
      open(
        {
          supportsTools: flag('The model can call tools.', { default: true }),
          maxTokensField: choice(
            ['max_completion_tokens', 'max_tokens'],
            'How chat completions bound the answer.',
          ),
        },
        { slips: true },
      ),
      'What the model cannot do, or does in its own way.',
    ),
  },
  { slips: true },
)

/** `models`: providers and their models. */
export const models = open(
  {
    mode: choice(['merge', 'replace'], 'Add to the built-in models or replace them.', { default: 'merge' }),
    providers: record(
      open(
        {
          baseUrl: text('Address of the provider.'),
          api: text('Protocol it speaks.'),
          apiKey: secret('Key of the provider.'),
          auth: text('How the key is sent: api-key or token.'),
          authHeader: flag('Send the key as a bearer token, whatever the protocol usually does.'),
          headers: record(Type.Unknown(), 'Request headers.', { sensitive: true }),
          timeoutSeconds: amount(
            'Seconds without a byte from the provider after which a request has failed.',
          ),
          maxTokens: amount('Tokens a model writes that does not say so itself.'),
          models: list(providerModel, 'Its models.'),
        },
        { slips: true },
      ),
      'Providers by id.',
    ),
  },
  { description: 'Models.', slips: true },
)

/** `commands`: chat commands and who owns the program. */
export const commands = open(
  {
    ownerAllowFrom: ids('Senders that own this program: id or channel:id.'),
    bash: anything('Let senders run shell commands.'),
  },
  { description: 'Chat commands and owners.', slips: true },
)

/** `env`: variables for `${VAR}` and for tools. */
export const env = open(
  {
    vars: record(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), 'Variables.', {
      sensitive: true,
    }),
    shellEnv: optional(
      open({
        enabled: flag('Read the environment of a login shell.', { default: false }),
        timeoutMs: whole('Milliseconds it may take.', { default: 15000, minimum: 0 }),
      }),
      'Environment of a login shell.',
    ),
  },
  { description: 'Environment variables.' },
)

/** `logging`: what the server writes down. */
export const logging = open(
  {
    maxFileBytes: whole('Bytes of a log file before a new one is begun, 1024 at least.', {
      default: 16_777_216,
    }),
  },
  { description: 'Logs.' },
)

/** `secrets`: where secret references are looked up. */
export const secrets = open(
  {
    providers: record(Type.Unknown(), 'Sources of secrets by alias.'),
    defaults: record(Type.String(), 'Alias used for a source that is not named.'),
  },
  { description: 'Where secret references are looked up.' },
)
