import type { Edition } from '../../catalog/edition.ts'

/** The built-in tools that `group:openclaw` leaves out although its name suggests everything, as words. */
export function outsideOpenclaw(edition: Edition): string {
  const members = edition.groups['group:openclaw'] ?? []
  const outside = edition.tools.map(({ id }) => id).filter((id) => !members.includes(id))
  return `${outside.slice(0, -1).join(', ')} and ${outside.at(-1)}`
}
