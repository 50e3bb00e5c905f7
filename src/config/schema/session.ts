import { Type } from 'typebox'
import { choice, names, open, optional, record, section, strict, text, whole } from './kit.ts'

const resetRule = {
  mode: choice(['daily', 'idle'], 'What ends a session.'),
  atHour: whole('Hour of the daily reset.', { minimum: 0, maximum: 23 }),
  idleMinutes: whole('Minutes without a message.'),
}

/** `session`: how conversations become sessions. */
export const session = strict(
  {
    scope: choice(['per-sender', 'global'], 'One session per sender, or one for all.', {
      default: 'per-sender',
    }),
    dmScope: choice(
      ['main', 'per-peer', 'per-channel-peer', 'per-account-channel-peer'],
      'How direct chats are split.',
      {
        default: 'main',
      },
    ),
    mainKey: text('Name of the main session.', { default: 'main' }),
    store: text('Where sessions are stored.'),
    identityLinks: record(Type.Array(Type.String()), 'Peers that are one person.'),
    resetTriggers: names('Messages that start a new session.'),
    idleMinutes: whole('Minutes without a message that end a session.'),
    heartbeatIdleMinutes: whole('The same for heartbeats.'),
    reset: optional(strict(resetRule), 'When sessions end.'),
    resetByType: record(open(resetRule), 'The same per kind of chat.'),
    resetByChannel: record(open(resetRule), 'The same per channel.'),
    sendPolicy: section('Who may be written to.'),
    agentToAgent: section('Turns between agents.'),
    maintenance: section('How old sessions are cleaned up.'),
    threadBindings: section('Threads bound to sessions.'),
    parentForkMaxTokens: whole('Tokens a thread takes over from its parent.', { minimum: 0 }),
    typingMode: text('When typing is shown.'),
    typingIntervalSeconds: whole('Seconds between typing signs.'),
    writeLock: section('Lock on the session store.'),
  },
  { description: 'How conversations become sessions.', misplaced: { key: 'mainKey' } },
)
