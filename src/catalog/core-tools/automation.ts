import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of scheduled work and heartbeats in an edition. */
export function automationTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
