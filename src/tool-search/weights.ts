/**
 * Field weights and length normalisation of the index (BM25F). `rest` is what follows the first sentence of a description;
 * `compound` holds joined spellings of a name (`createbranch`, `hackernews`) and numbers in it, which do not count as its words.
 */
export const fields = {
  name: { weight: 2, b: 0.6 },
  label: { weight: 1, b: 0.6 },
  server: { weight: 1, b: 0.4 },
  lead: { weight: 1.5, b: 0.6 },
  rest: { weight: 0.5, b: 0.6 },
  parameter: { weight: 1.3, b: 0.6 },
  parameterText: { weight: 0.4, b: 0.6 },
  compound: { weight: 2, b: 0 },
} as const

/** Saturation of a word that a tool repeats (BM25's k1). */
export const saturation = 1.2

/** Below 1, words that few tools have count a little less: in a large catalogue many of them are values and slips. */
export const rarityExponent = 0.9

/** Weights of what a query says; a plain word of the query has 1. */
export const queryWeights = {
  /** Words of a request that say little about the tool, see `weakWords`. */
  weakWord: 0.6,
  number: 0.3,
  /** Inner words of a compound (`git` in GitHub) when the catalogue has the compound itself. */
  knownCompoundPart: 0.4,
  /** Two neighbouring words in one (`hacker news` as `hackernews`). */
  joined: 0.5,
  characterPair: 0.4,
  synonym: { verb: 0.2, noun: 0.4, topic: 0.4, form: 0.5, abbreviation: 0.7 },
  /** Synonyms of a word that the catalogue does not have have to stand in for it. */
  synonymOfUnknown: 1.5,
  /** Several query words may point to the same synonym, up to this sum. */
  synonymAtMost: 0.8,
  translation: 0.8,
  laterTranslation: 0.7,
  translatedSynonym: 0.3,
  /** A foreign word that was translated, as written. */
  translatedWord: 0.4,
  nearWord: 0.6,
  splitWord: 0.7,
  completion: 0.4,
  valueShape: 0.4,
  writeToPath: 0.8,
} as const

export const ranking = {
  /** A tool whose whole name the query covers gets this share on top. */
  nameCoverage: 0.4,
  /** Share of a score that comes from the best clause instead of the whole query. */
  clauseShare: 0.5,
  /** 0 leaves clauses as strong as their words are rare, 1 makes the best hits of all clauses equal. */
  clauseBalance: 0.6,
  /** Hits of one source beyond its share of the list keep this part of their score. */
  overQuota: 0.8,
} as const
