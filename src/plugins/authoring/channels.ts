/** A message that leaves for a conversation of a channel. */
export interface ChannelMessage {
  /** Names this message; the same in every attempt to send it. */
  readonly id: string
  /** The conversation; null where the session names none and the channel may have a usual one. */
  readonly to: string | null
  readonly accountId: string | null
  readonly threadId: string | null
  /** Message that it answers. */
  readonly replyTo: string | null
  readonly text: string
  /** Who sends it. */
  readonly agentId: string
  readonly sessionKey: string
}

/** Something to be done in a conversation besides sending. */
export interface ChannelAction {
  /** One of the channel's `actions`. */
  readonly action: string
  readonly to: string | null
  readonly accountId: string | null
  readonly threadId: string | null
  /** What the action needs besides: `messageId`, `emoji`, `message`, `options`, `limit`. */
  readonly params: Readonly<Record<string, unknown>>
}

export interface ChannelContext {
  /** `channels.<id>` of the config. */
  readonly config: Readonly<Record<string, unknown>>
  /** Fires when nobody waits any more. */
  readonly signal: AbortSignal
}

/** What became of a message. */
export interface SentMessage {
  /** Name of the message at the other side, if that says one. */
  readonly messageId?: string
  /** Where it went, where `to` was null. */
  readonly to?: string
}

/** A conversation that a channel knows. */
export interface ChannelConversation {
  readonly to: string
  readonly name?: string
  readonly accountId?: string
}

/** A way to people or programs outside; what its methods throw is the failure of the call. */
export interface Channel {
  /** As `channels.<id>` and the message tool name it: lower-case letters, digits, `-` and `_`. */
  readonly id: string
  /** For people; else the id. */
  readonly label?: string
  /** What it can do besides sending: read, react, edit, delete, pin, unpin, poll. */
  readonly actions?: readonly string[]
  send(message: ChannelMessage, context: ChannelContext): Promise<SentMessage>
  /** Does one of `actions`; the answer is JSON. */
  act?(action: ChannelAction, context: ChannelContext): Promise<unknown>
  /** Conversations that it knows. */
  list?(context: ChannelContext): Promise<readonly ChannelConversation[]>
  /** Sends and waits for what the other side answers. */
  turn?(message: ChannelMessage, context: ChannelContext): Promise<SentMessage & { readonly reply: string }>
}
