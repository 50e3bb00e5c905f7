import { describe, expect, test } from 'vitest'
import { errorExit, exitCodes } from '../../src/kernel/errors.ts'
import { noticeHelp } from '../../src/policy/notice-help.ts'
import { stepIds } from '../../src/policy/types.ts'
import { exitCodePage, noticePage } from '../../src/ui/help-pages.ts'

/*
 * Literals that scripts, policy tests and editors out there rely on. An entry may be added; a change of one breaks somebody.
 */

describe('pinned names', () => {
  test('exit codes', () => {
    expect(exitCodes).toEqual({
      ok: 0,
      failed: 1,
      usage: 2,
      denied: 3,
      approval: 4,
      configInvalid: 5,
      unreachable: 6,
      interrupted: 130,
    })
  })

  test('error codes and the exit code of each', () => {
    expect(errorExit).toEqual({
      USAGE: 2,
      COMMAND_UNKNOWN: 2,
      CONFIG_NOT_FOUND: 1,
      CONFIG_INVALID: 5,
      CONFIG_CONFLICT: 1,
      CONFIG_READONLY: 1,
      PATH_INVALID: 2,
      PATH_UNSET: 1,
      PATH_UNKNOWN: 1,
      INCLUDE_INVALID: 5,
      UNKNOWN_AGENT: 1,
      UNKNOWN_SESSION: 1,
      UNKNOWN_TOOL: 1,
      AMBIGUOUS_TOOL: 1,
      TOOL_DENIED: 3,
      TOOL_UNAVAILABLE: 1,
      TOOL_BLOCKED: 3,
      APPROVAL_REQUIRED: 4,
      INPUT_INVALID: 1,
      OUTPUT_INVALID: 1,
      TOOL_FAILED: 1,
      TIMEOUT: 1,
      ABORTED: 130,
      MEMORY_LIMIT: 1,
      OUTPUT_LIMIT: 1,
      PLUGIN_INVALID: 1,
      MCP_UNREACHABLE: 6,
      GATEWAY_UNREACHABLE: 6,
      PROVIDER_FAILED: 6,
      UNAUTHORIZED: 1,
      INTERNAL: 1,
    })
  })

  test('steps, in pipeline order', () => {
    expect(stepIds).toEqual([
      'run.tools',
      'model.tools',
      'capability',
      'plugin',
      'channel-runtime',
      'model-runtime',
      'tools.profile',
      'tools.byProvider.profile',
      'tools',
      'tools.byProvider',
      'agent.tools',
      'agent.tools.byProvider',
      'group.tools',
      'sender',
      'sandbox.tools',
      'owner',
      'subagent',
      'inherited',
      'run.toolsAllow',
      'mcp',
      'schema',
      'tool-search',
    ])
  })

  test('notices, each with a help text', () => {
    const contract = [
      'unknown-entry',
      'unavailable-entry',
      'empty-allow',
      'dead-rule',
      'shadowed-rule',
      'untyped-sender-key',
      'configured-but-hidden',
      'also-allow-grants-nothing',
      'also-allow-replaced',
      'allow-outside-profile',
      'glob-skips-plugin-tools',
      'partial-write-deny',
      'sender-key-lifts-default',
      'plugins-allow-restricts',
      'no-callable-tools',
      'name-conflict',
      'duplicate-id',
      'invalid-tool',
      'mcp-stale',
      'mcp-unreachable',
      'mcp-filter-matches-nothing',
      'schema-quarantined',
      'session-not-stored',
      'edition-mismatch',
      'unknown-key',
      'env-missing',
      'tool-search-fallback',
      'tool-search-small-catalog',
      'code-mode-unsupported',
      'mcp-config',
      'secret-ref',
      'include-edited',
      'reference-kept',
      'write-recovered',
      'write-incomplete',
    ]
    expect(Object.keys(noticeHelp)).toEqual(expect.arrayContaining(contract))
  })
})

describe('help pages are complete', () => {
  test('every notice has a text that says what to do', async () => {
    const { entries } = await noticePage()
    expect(entries.map((entry) => entry.name)).toEqual(Object.keys(noticeHelp))
    // Two sentences: what it means and what to do.
    for (const { text } of entries) expect(text).toMatch(/^.{20,}[.:;] .{10,}\.$/s)
  })

  test('every exit code and every error code is explained', () => {
    const { entries } = exitCodePage()
    expect(entries.map((entry) => Number(entry.name))).toEqual(Object.values(exitCodes))
    const explained = entries.flatMap((entry) => entry.text.match(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g) ?? [])
    expect(explained.filter((word) => word in errorExit).toSorted()).toEqual(
      Object.keys(errorExit).toSorted(),
    )
  })
})
