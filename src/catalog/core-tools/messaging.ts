import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of the message tool and its like in an edition. */
export function messagingTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
