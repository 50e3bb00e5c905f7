/** What a media back end can be asked for. */
export const mediaKinds = ['image', 'video', 'music', 'speech', 'pdf', 'vision'] as const

export type MediaKind = (typeof mediaKinds)[number]

/** A file that a back end is given or has made. */
export interface MediaFile {
  readonly data: Uint8Array
  /** As `image/png`. */
  readonly mimeType: string
  /** What it should be called, without directories. */
  readonly name?: string
}

/** Something to be made: a picture, a film, music, or spoken words. */
export interface MediaRequest {
  readonly kind: 'image' | 'video' | 'music' | 'speech'
  /** What it shows or sounds like; for speech the words to be spoken. */
  readonly prompt: string
  /** Model of the back end, without its own id. */
  readonly model?: string
  /** How many of them; 1 unless told. */
  readonly count?: number
  /** What to start from. */
  readonly inputs?: readonly MediaFile[]
  /** Whatever else the back end knows, as `size`, `voice`, `durationSeconds`, `format`. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** Files to be looked into: pictures or documents. */
export interface DescribeRequest {
  readonly kind: 'vision' | 'pdf'
  readonly prompt: string
  readonly files: readonly MediaFile[]
  readonly model?: string
}

/** Makes or looks into media; what it throws is the failure of the call. */
export interface MediaBackend {
  /** As `tools.media` and the media models of a config name it: `<id>/<model>`. */
  readonly id: string
  readonly kinds: readonly MediaKind[]
  generate?(request: MediaRequest, signal: AbortSignal): Promise<readonly MediaFile[]>
  describe?(request: DescribeRequest, signal: AbortSignal): Promise<string>
}
