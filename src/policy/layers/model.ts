/** The ids a session's model may go by, lower-cased: as it is said, and without its own provider where that stands in front of it once more. */
export function modelIds(provider: string | null, model: string | null): readonly string[] {
  const id = model?.trim().toLowerCase() ?? ''
  if (id === '') return []
  const prefix = `${provider?.trim().toLowerCase() ?? ''}/`
  return prefix !== '/' && id.startsWith(prefix) && id.length > prefix.length
    ? [id, id.slice(prefix.length)]
    : [id]
}
