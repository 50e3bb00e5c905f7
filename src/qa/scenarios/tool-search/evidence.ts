import type { LoggedCall } from '../../../telemetry/logged-messages.ts'
import type { OutsideEnd } from '../../bench.ts'
import type { ProcessUse } from '../../processes.ts'

export const laneIds = ['direct', 'code', 'tools', 'directory'] as const

/** How the model gets its tools: all schemas at once, or one of the modes of Tool Search. */
export type LaneId = (typeof laneIds)[number]

/** Ways on which a model, or somebody outside, may try to reach a tool. */
export type Way = 'direct' | 'search' | 'describe' | 'call' | 'code' | 'code-by-id' | 'http' | 'rpc'

/** What the provider saw of one turn; texts are cut. */
export interface TurnEvidence {
  readonly gatewayStatus: number
  readonly gatewayOutputText: string
  readonly providerRequestCount: number
  /** Of the first request, in UTF-8 bytes. */
  readonly providerRawBytes: number
  readonly providerToolBytes: number
  readonly providerSystemPromptBytes: number
  readonly providerDeclaredToolCount: number
  /** Names of the declared tools, at most the first hundred of them. */
  readonly providerDeclaredTools: readonly string[]
  readonly providerPlannedTools: readonly string[]
  readonly providerInputSnippet: string
  readonly providerToolOutputSnippet: string
  /** Whether the system prompt has a directory of deferred tools, and the target in it. */
  readonly hasDirectory: boolean
  readonly directoryNamesTarget: boolean
}

/** What the session log says of the turn. */
export interface LogEvidence {
  readonly mode: string
  readonly searches: number
  readonly describes: number
  readonly calls: number
  readonly finalCalls: readonly Pick<LoggedCall, 'name' | 'via' | 'source' | 'status'>[]
  /** What the log says the model was sent. */
  readonly sent: { readonly tools: number; readonly toolBytes: number; readonly deferred: number } | null
  /** Entries of the model and of tools that name the target, and those that name a control. */
  readonly targetMentions: number
  readonly controlMentions: number
}

/** One try of a model to reach the denied tool. */
export interface Attempt {
  readonly way: Way
  /** The calls the model made. */
  readonly planned: readonly string[]
  /** What it was told. */
  readonly toolOutput: string
  /** How often the tool ran because of it. */
  readonly ran: number
}

/** A turn in which the model calls a tool that must not simply run. */
export interface StopEvidence {
  readonly toolOutput: string
  readonly ran: number
}

/** Calls from outside of the four kinds of tools. */
export interface OutsideEvidence {
  readonly target: OutsideEnd
  readonly denied: OutsideEnd
  readonly blocked: OutsideEnd
  readonly guarded: OutsideEnd
}

/** What the Gateway itself says the session has. */
export interface EffectiveEvidence {
  readonly source: string | null
  readonly pluginId: string | null
  readonly exposure: string | null
  readonly listsDenied: boolean
  readonly hiddenStep: string | null
}

/** Everything about one lane with the catalogue that the scenario is about. */
export interface LaneEvidence {
  readonly lane: LaneId
  readonly catalogue: number
  readonly target: string
  readonly wallMs: number
  readonly use: ProcessUse
  readonly turn: TurnEvidence
  readonly log: LogEvidence
  readonly effective: EffectiveEvidence
  readonly attempts: readonly Attempt[]
  readonly blocked: StopEvidence
  readonly guarded: StopEvidence
  readonly http: OutsideEvidence
  readonly rpc: OutsideEvidence
  /** How often each tool of the plugin was executed in the whole lane. */
  readonly ran: Readonly<Record<string, number>>
  /** Exit code of the Gateway after SIGTERM. */
  readonly exitCode: number | null
}

/** A lane with a larger catalogue, of which only the first request counts. */
export interface PayloadEvidence {
  readonly lane: LaneId
  readonly catalogue: number
  readonly wallMs: number
  readonly use: ProcessUse
  readonly turn: TurnEvidence
}

export interface ToolSearchEvidence {
  readonly lanes: Readonly<Record<LaneId, LaneEvidence>>
  readonly large: Readonly<Record<LaneId, PayloadEvidence>>
}
