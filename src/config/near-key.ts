import type { SchemaNode } from './schema-node.ts'

/** Keys shorter than this are told only when their letters are those of a known key. */
const shortestSlip = 4
/** In words this long another letter is a slip; in shorter ones it is mostly another word, as mode and node. */
const longWord = 6

const plain = (key: string): string => key.toLowerCase().replaceAll(/[-_]/g, '')

/** Whether one letter is too many in `longer`; in front of a short word it mostly makes another one, as auth and oauth. */
function isInsertion(shorter: string, longer: string): boolean {
  let at = 0
  while (at < shorter.length && shorter[at] === longer[at]) at++
  return shorter.slice(at) === longer.slice(at + 1) && (at > 0 || shorter.length >= longWord)
}

/** Whether two words of one length differ in one letter, or in two neighbours that changed places. */
function isExchange(left: string, right: string): boolean {
  let at = 0
  while (left[at] === right[at]) at++
  if (left.slice(at + 2) === right.slice(at + 2) && left[at] === right[at + 1] && left[at + 1] === right[at])
    return true
  return left.length >= longWord && left.slice(at + 1) === right.slice(at + 1)
}

function isSlip(left: string, right: string): boolean {
  if (left.length < shortestSlip) return false
  if (left.length === right.length) return isExchange(left, right)
  if (left.length + 1 === right.length) return isInsertion(left, right)
  // One thing more of a kind is another setting, not a slip: model and models.
  return left.length === right.length + 1 && left !== `${right}s` && isInsertion(right, left)
}

/** The keys that a misspelled one may be meant as, of an object that also takes keys of other programs. */
export function namesOf({ properties = {} }: SchemaNode): readonly string[] {
  return Object.keys(properties).filter((key) => properties[key]?.not === undefined)
}

/** The known key that an unknown one is a slip of: with the same letters, or nearly so while the known key is not there. Runs at every start. */
export function slipOf(key: string, known: readonly string[], holder: object): string | null {
  for (const name of known) {
    // The cheap test first: most keys of other programs have another length.
    if (Math.abs(name.length - key.length) > 2) continue
    const [left, right] = [plain(key), plain(name)]
    if (left === right || (!Object.hasOwn(holder, name) && isSlip(left, right))) return name
  }
  return null
}
