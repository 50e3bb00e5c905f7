import { formatPath } from '../../kernel/path.ts'
import type { Rule } from './finding.ts'
import { listsOf } from './scopes.ts'

/** `allow: []` and lists of blanks, which restrict nothing. */
export const emptyAllow: Rule = (scan) =>
  scan.scopes.flatMap(listsOf).flatMap((list) => {
    if (list.name !== 'allow' || list.entries.some((entry) => entry.trim() !== '')) return []
    const place = formatPath(list.path)
    const what = list.entries.length === 0 ? 'is empty' : 'has only blank entries'
    const inSandbox = list.scope.kind === 'sandbox'
    const message = inSandbox
      ? `${place} ${what}, which lets every tool into the sandbox that no deny names; alsoAllow beside it only lifts built-in denies`
      : `${place} ${what}, which means no restriction; to take every tool away write deny: ["*"], to restrict nothing remove it`
    return [{ id: 'empty-allow', severity: inSandbox ? 'info' : 'warning', message, path: list.path }]
  })
