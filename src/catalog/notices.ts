import type { Path } from '../kernel/path.ts'
import type { InventoryNotice } from './types.ts'

const shownPerId = 50

/** Collects what the building of an inventory noticed; a source with thousands of bad tools ends in a few dozen notices and a count. */
export class InventoryNotices {
  readonly #notices = new Map<string, InventoryNotice[]>()
  readonly #dropped = new Map<string, number>()

  warn(id: string, message: string, path: Path | null = null): void {
    this.#add({ id, severity: 'warning', message, path })
  }

  inform(id: string, message: string, path: Path | null = null): void {
    this.#add({ id, severity: 'info', message, path })
  }

  #add(notice: InventoryNotice): void {
    const known = this.#notices.get(notice.id)
    if (known === undefined) this.#notices.set(notice.id, [notice])
    else if (known.length < shownPerId) known.push(notice)
    else this.#dropped.set(notice.id, (this.#dropped.get(notice.id) ?? 0) + 1)
  }

  all(): readonly InventoryNotice[] {
    const result: InventoryNotice[] = []
    for (const [id, notices] of this.#notices) {
      result.push(...notices)
      const dropped = this.#dropped.get(id) ?? 0
      const severity = notices.some((notice) => notice.severity === 'warning') ? 'warning' : 'info'
      if (dropped > 0) result.push({ id, severity, message: `${dropped} more like this`, path: null })
    }
    return result
  }
}
