import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of images, sound, video and documents in an edition. */
export function mediaTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
