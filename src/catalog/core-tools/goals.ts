import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of goals and plans in an edition. */
export function goalTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
