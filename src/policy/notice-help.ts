/** What each notice means and what to do about it, by notice id (contract §4); the key set is the list of all notice ids. */
export const noticeHelp = {
  'unknown-entry': 'x',
} as const
