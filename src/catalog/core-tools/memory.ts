import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of the memory tools in an edition. */
export function memoryTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
