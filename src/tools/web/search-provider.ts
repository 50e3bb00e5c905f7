/*
 * What web_search asks, under the names that the authors of plugins know.
 */
export type {
  WebSearch as WebSearchProvider,
  WebSearchHit,
  WebSearchOptions,
} from '../../plugins/authoring.ts'
