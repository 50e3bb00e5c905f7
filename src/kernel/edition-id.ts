/** The editions of the system whose behaviour is known here, oldest first. */
export const editionIds = ['2026.7', '2026.9'] as const

export type EditionId = (typeof editionIds)[number]

/** The edition of a version such as `2026.9.1` (contract §6: 2026.9 from 2026.8 on); null for what is no version. */
export function editionOfVersion(version: unknown): EditionId | null {
  const match = typeof version === 'string' ? /^(\d+)\.(\d+)/.exec(version) : null
  if (!match) return null
  return Number(match[1]) * 100 + Number(match[2]) >= 202608 ? '2026.9' : '2026.7'
}
