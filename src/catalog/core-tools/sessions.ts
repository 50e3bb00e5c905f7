import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of the tools about sessions and agents in an edition. */
export function sessionTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
