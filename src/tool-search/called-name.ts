/** What providers put in front of a tool's name: `functions:read`, `functions.read`, `default_api.read`. */
const prefix = /^[A-Za-z][A-Za-z0-9_-]{0,40}[:.]/

/**
 * The offered name that a model meant by the name it called: that very name, or what is left of it without the prefix of a provider. Only an
 * exact name counts, so that nothing is ever guessed; null for any other.
 */
export function calledName(name: string, isOffered: (name: string) => boolean): string | null {
  if (isOffered(name)) return name
  const text = name.trim()
  const rest = text.replace(prefix, '')
  return rest !== name && rest !== '' && isOffered(rest) ? rest : null
}
