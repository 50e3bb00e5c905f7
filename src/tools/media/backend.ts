import type { Media } from '../../plugins/authoring.ts'

/*
 * What makes media or looks into them, under the names that the authors of plugins know.
 */
export type {
  DescribeRequest,
  Media as MediaBackend,
  MediaFile,
  MediaRequest,
} from '../../plugins/authoring.ts'

/** What a back end can be asked for. */
export type MediaKind = Media['kinds'][number]
