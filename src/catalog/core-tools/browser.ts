import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of the browser tool in an edition. */
export function browserTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
