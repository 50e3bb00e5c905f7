import type { EditionId } from '../edition.ts'
import type { CoreToolSpec, CoreToolSpecs } from './spec.ts'

const text = (description: string) => ({ type: 'string', minLength: 1, description })

const message: CoreToolSpec = {
  parameters: {
    type: 'object',
    properties: {
      action: {
        enum: ['send', 'broadcast', 'list', 'read', 'react', 'edit', 'delete', 'pin', 'unpin', 'poll'],
        description: 'What to do; send unless told. Which of them a channel can do, action list says.',
      },
      channel: text('Channel, as webhook or outbox; else the one of this session, or the only one there is.'),
      target: text('Conversation of the channel; else the one of this session.'),
      targets: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        maxItems: 50,
        description: 'Conversations of a broadcast, as target or channel:target.',
      },
      accountId: text('Account of the channel.'),
      threadId: text('Thread of the conversation.'),
      replyTo: text('Message that is answered.'),
      message: text('The text.'),
      messageId: text('Message that an action is about.'),
      emoji: text('Reaction.'),
      options: { type: 'array', items: { type: 'string' }, description: 'Answers of a poll.' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Messages to read; 20 unless told.' },
      dryRun: { type: 'boolean', description: 'Says where it would go, and sends nothing.' },
    },
    additionalProperties: false,
  },
  executionMode: 'sequential',
  risk: 'medium',
}

const conversation = text('Conversation, as conversations_list names it: channel:target.')

const conversations: CoreToolSpecs = {
  conversations_list: {
    parameters: {
      type: 'object',
      properties: {
        channel: text('Only those of this channel.'),
        limit: { type: 'integer', minimum: 1, maximum: 200, description: '50 unless told.' },
      },
      additionalProperties: false,
    },
    executionMode: 'parallel',
    risk: 'low',
  },
  conversations_send: {
    parameters: {
      type: 'object',
      properties: { conversation, message: text('The text.'), threadId: text('Thread of the conversation.') },
      required: ['conversation', 'message'],
      additionalProperties: false,
    },
    executionMode: 'sequential',
    risk: 'medium',
  },
  conversations_turn: {
    parameters: {
      type: 'object',
      properties: {
        conversation,
        message: text('The text.'),
        threadId: text('Thread of the conversation.'),
        timeoutSeconds: {
          type: 'integer',
          minimum: 1,
          maximum: 300,
          description: 'How long to wait for the answer; 60 unless told.',
        },
      },
      required: ['conversation', 'message'],
      additionalProperties: false,
    },
    executionMode: 'sequential',
    risk: 'medium',
  },
}

/** Inputs of the message tool and its like in an edition. */
export function messagingTools(edition: EditionId): CoreToolSpecs {
  return edition === '2026.9' ? { message, ...conversations } : { message }
}
