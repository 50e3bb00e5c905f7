import { findAgent } from '../config/agents.ts'
import type { Notice } from '../kernel/path.ts'
import { emptyAllow } from './lint/empty-allow.ts'
import type { Finding, Rule, Scan } from './lint/finding.ts'
import { createNames } from './lint/names.ts'
import { scopesOf } from './lint/scopes.ts'
import { unknownEntries } from './lint/unknown-entries.ts'
import { createMatcher } from './matcher.ts'
import type { Locate } from './report.ts'
import type { Reopen, View } from './view.ts'

/** What lint needs beside the view. */
export interface LintOptions {
  readonly reopen: Reopen
  readonly locate: Locate
}

/** One session to lint, with the way to judge it again. */
export interface LintView {
  readonly view: View
  readonly reopen: Reopen
}

const rules: readonly Rule[] = [unknownEntries, emptyAllow]

function scanOf(view: View): Scan {
  return {
    view,
    agent: findAgent(view.config, view.context.agentId),
    matcher: createMatcher(view.edition, view.inventory),
    scopes: scopesOf(view.config, view.context.agentId),
    names: createNames(view),
  }
}

function findings(view: View): Finding[] {
  const scan = scanOf(view)
  return rules.flatMap((rule) => rule(scan))
}

function notices(found: readonly Finding[], locate: Locate): Notice[] {
  const seen = new Map<string, Notice>()
  for (const { path, ...finding } of found) {
    const key = JSON.stringify([finding.id, path ?? finding.message])
    if (!seen.has(key)) seen.set(key, { ...finding, location: path && locate(path) })
  }
  return [...seen.values()]
}

/** What is odd about the policy of one session, judged from config and inventory; at most one notice per entry and id (contract §4). */
export function lint(view: View, options: LintOptions): Notice[] {
  return notices(findings(view), options.locate)
}

/** The same for several sessions of one config, each notice once. */
export function lintConfig(views: readonly LintView[], locate: Locate): Notice[] {
  return notices(
    views.flatMap(({ view }) => findings(view)),
    locate,
  )
}
