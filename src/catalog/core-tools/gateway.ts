import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of the gateway and its nodes in an edition. */
export function gatewayTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
