import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of exec and process in an edition. */
export function commandTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
