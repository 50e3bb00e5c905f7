import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

/** Inputs of tools that a plugin or a client surface has to bring in an edition. */
export function pluginHostTools(_edition: EditionId): CoreToolSpecs {
  return {}
}
