import type { AssistantPart, TextPart, ThinkingPart } from '../messages.ts'
import type { ModelDelta } from './provider.ts'
import { readArguments } from './tool-schema.ts'

interface DraftCall {
  readonly type: 'call'
  id: string
  name: string
  text: string
}

interface DraftText {
  readonly type: 'text' | 'thinking'
  text: string
  signature: string
}

/** A piece of a call as it comes; what is absent came before or comes later, and nothing needs to be what the protocol says. */
export interface CallPiece {
  readonly id?: unknown
  readonly name?: unknown
  readonly text?: unknown
}

/** A name for the call of a model that gave none, so that it can be told of its mistake. */
const noName = 'unnamed'

/** A message of a model that is put together from its pieces, in the order in which they come. */
export class DraftMessage {
  readonly #onDelta: ((delta: ModelDelta) => void) | undefined
  readonly #parts: (DraftText | DraftCall)[] = []
  readonly #calls = new Map<unknown, DraftCall>()

  constructor(onDelta?: (delta: ModelDelta) => void) {
    this.#onDelta = onDelta
  }

  addText(delta: unknown): void {
    this.#add('text', delta)
  }

  addThinking(delta: unknown): void {
    this.#add('thinking', delta)
  }

  /** What the provider wants back with the thought that came last. */
  sign(signature: unknown): void {
    if (typeof signature !== 'string' || signature === '') return
    const last = this.#parts.at(-1)
    if (last?.type === 'thinking') last.signature += signature
    else this.#parts.push({ type: 'thinking', text: '', signature })
  }

  /** Ends the present piece of text, so that the next one is a part of its own. */
  close(): void {
    if (this.#parts.at(-1)?.type !== 'call') this.#parts.push({ type: 'text', text: '', signature: '' })
  }

  /** A piece of the call that the provider knows by this key; without one it belongs to the call that came last. */
  addCall(key: unknown, piece: CallPiece): void {
    const id = textOf(piece.id)
    const name = textOf(piece.name)
    const { text } = piece
    let call = key === undefined ? this.#parts.findLast((part) => part.type === 'call') : this.#calls.get(key)
    // Some servers number every call 0.
    const isOther = id !== '' && name !== '' && call !== undefined && call.id !== '' && call.id !== id
    if (call === undefined || isOther) {
      call = { type: 'call', id: '', name: '', text: '' }
      if (key !== undefined) this.#calls.set(key, call)
      this.#parts.push(call)
    }
    if (id !== '') call.id = id
    if (name !== '' && call.name !== name) {
      // Names come whole from all but a few, which send them in pieces.
      call.name += name
      this.#onDelta?.({ type: 'toolCall', name: call.name })
    }
    // An object is no JSON text yet; some servers send that.
    if (text !== undefined && text !== null)
      call.text += typeof text === 'string' ? text : (JSON.stringify(text) ?? '')
  }

  /** The message's parts; every call has an id of its own. */
  parts(): readonly AssistantPart[] {
    const ids = new Set<string>()
    return this.#parts.flatMap((part): readonly AssistantPart[] => {
      if (part.type !== 'call') return finished(part)
      const id = uniqueId(part.id, ids)
      return [{ type: 'toolCall', id, name: part.name || noName, ...readArguments(part.text) }]
    })
  }

  #add(type: 'text' | 'thinking', delta: unknown): void {
    if (typeof delta !== 'string' || delta === '') return
    const last = this.#parts.at(-1)
    if (last?.type === type) last.text += delta
    else this.#parts.push({ type, text: delta, signature: '' })
    this.#onDelta?.({ type, delta })
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function finished({ type, text, signature }: DraftText): readonly (TextPart | ThinkingPart)[] {
  if (type === 'text') return text === '' ? [] : [{ type, text }]
  if (text === '' && signature === '') return []
  return [{ type, thinking: text, ...(signature !== '' && { signature }) }]
}

/** The provider's id, or one of ours where it gave none, or gave it twice. */
function uniqueId(given: string, taken: Set<string>): string {
  let id = given === '' ? 'call_1' : given
  for (let count = 2; taken.has(id); count++) id = `${given === '' ? 'call' : given}_${count}`
  taken.add(id)
  return id
}
