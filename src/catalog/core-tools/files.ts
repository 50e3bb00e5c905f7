import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of the file tools in an edition. */
export function fileTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
