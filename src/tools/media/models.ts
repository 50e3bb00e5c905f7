import type { MediaFile } from './backend.ts'

/** A model as `provider/model` names it. */
export interface MediaModel {
  readonly provider: string
  readonly model: string
}

/** Where the media endpoints of a provider are. */
export interface MediaEndpoint {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** With the key. */
  readonly headers: Readonly<Record<string, string>>
  /** Values that must never be shown. */
  readonly secrets: readonly string[]
}

/** The models of a config, as media tools need them. Errors: CONFIG_INVALID, PROVIDER_FAILED. */
export interface MediaModels {
  endpoint(model: MediaModel): Promise<MediaEndpoint>
  /** Asks a model about images and text. */
  ask(
    model: MediaModel,
    question: { readonly text: string; readonly images: readonly MediaFile[] },
    signal: AbortSignal,
  ): Promise<string>
}
