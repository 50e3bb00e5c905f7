import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of the web tools in an edition. */
export function webTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
