import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { hasTerminal, runTty } from '../helpers/run-tty.ts'

/** Living processes whose environment names a folder. */
function livingBelow(folder: string): readonly string[] {
  return globSync('/proc/[0-9]*/environ').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(folder)
    } catch {
      return false
    }
  })
}

describe('qa list', () => {
  test('names scenarios, and what each one asserts', async () => {
    const { code, stdout } = await runCli(['qa', 'list'])
    expect(code).toBe(0)
    const blocks = stdout.trimEnd().split('\n\n')
    expect(blocks.map((block) => block.split('\n')[0])).toMatchInlineSnapshot(`
      [
        "tool-search-gateway-e2e  Tool Search reaches the same tools as direct mode, with less in the request and under the same rules",
        "policy-by-sender-and-group  Tools follow the chat group and the sender that the channel vouches for, and nobody else’s word",
        "mcp-server-dies  An MCP server that dies in the middle of a turn costs one call, not the turn",
        "approval-round-trip  A guarded tool runs after a yes, once and with the approved arguments, and never before",
        "config-hot-reload  A running Gateway follows its config, and keeps the last good one when the file is bad",
        "provider-faults  Faults of the provider cost attempts, are told to whom they concern, and never repeat a call",
        "ten-thousand-tools  Ten thousand tools start, are searched and called within bounds",
        "coding-in-sandbox  A turn mends a failing test in a sandbox that shows the workspace and nothing else",
        "web-tools  The web tools search and read, and do not reach into this machine",
        "messages-and-jobs  Messages go out over a webhook, at once and when a job says so",
        "sub-agents  A turn spawns a child under its own policy, yields, and goes on with the result",
        "memory-and-media  Memory is searched and read, goals are kept, images are made and seen",
        "browser-page  A real browser shows a page, clicks on it and keeps out of this machine",
      ]
    `)
    expect(blocks[0]).toContain('\n    A denied tool cannot be called over HTTP, and others can\n')
  })

  test('gives ids, and everything as JSON', async () => {
    const { stdout } = await runCli(['qa', 'list', '--output', 'names'])
    const { json } = await runJson(['qa', 'list'])
    const ids = stdout.trimEnd().split('\n')
    expect(ids[0]).toBe('tool-search-gateway-e2e')
    expect(json).toMatchObject({ items: ids.map((id) => ({ id, title: expect.any(String) })) })
  })
})

describe('qa suite refuses', () => {
  const cases = [
    [
      ['--scenario', 'tool-search-gatway-e2e'],
      'unknown scenario "tool-search-gatway-e2e"',
      'tool-search-gateway-e2e',
    ],
    [['--provider-mode', 'aimock'], 'aimock', 'mock-openai'],
    [['--concurrency', '0'], 'expected a whole number from 1, got "0"', ''],
    [['--concurrency', 'all'], 'expected a whole number from 1, got "all"', ''],
    [['--tools', '-3'], 'expected a whole number from 1, got "-3"', ''],
    [['--output-dir', ''], 'expected a value', ''],
    [['--output-dir', '/dev/null'], '--output-dir: cannot make /dev/null: it is no folder', ''],
    [['--output-dir', '/proc/nowhere'], '--output-dir: cannot make /proc/nowhere', ''],
  ] as const

  test.each(cases)('%j', async (args, message, hint) => {
    const { code, stdout, json } = await runJson(['qa', 'suite', ...args])
    expect(code).toBe(2)
    expect(json).toMatchObject({ error: { code: 'USAGE' } })
    expect(stdout).toContain(JSON.stringify(message).slice(1, -1))
    expect(stdout).toContain(hint)
  })
})

describe('qa suite', () => {
  // One tool costs less than the controls that would find it, and the suite must not pretend otherwise.
  test('exits with 1 where a scenario fails, and says why', async () => {
    const home = await tempDir()
    const args = ['--scenario', 'tool-search-gateway-e2e', '--tools', '1', '--output-dir', 'reports']
    const { code, stdout } = await runCli(['qa', 'suite', ...args], { home, limit: 120_000 })
    expect(code).toBe(1)
    expect(stdout).toContain('✗ tool-search-gateway-e2e\n')
    expect(stdout).toMatch(/Tool Search sends less than direct mode: \w+ with 1 tools sends \d+/)
    expect(stdout).toContain(`0 passed, 1 failed\nreport: ${join(home, 'reports', 'qa-suite-report.md')}\n`)
    expect(readdirSync(join(home, 'reports')).toSorted()).toEqual([
      'qa-evidence.json',
      'qa-suite-report.md',
      'qa-suite-summary.json',
    ])
  }, 120_000)

  test('runs what it is asked for, each once, and puts reports into a new folder', async () => {
    const home = await tempDir()
    const one = ['--scenario', 'policy-by-sender-and-group']
    const { code, json } = await runJson(['qa', 'suite', ...one, ...one], { home, limit: 60_000 })
    expect(code).toBe(0)
    expect(json).toMatchObject({ run: { scenarioIds: ['policy-by-sender-and-group'] } })
    expect(globSync('.artifacts/qa-e2e/*/qa-suite-report.md', { cwd: home })).toHaveLength(1)
  })

  test.skipIf(!hasTerminal)('shows a person at a terminal one line for each scenario', async () => {
    const home = await tempDir()
    const args = ['--scenario', 'policy-by-sender-and-group', '--output-dir', 'reports']
    const { code, screen } = await runTty(['qa', 'suite', ...args], { home, columns: 100 })
    expect(code).toBe(0)
    const plain = screen.replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, '')
    expect(plain).toMatch(/▸ policy-by-sender-and-group .* the Gateway starts with rules/)
    expect(plain).toMatch(/✓ policy-by-sender-and-group {2}\d+ steps {2}\d+\.\d s/)
    expect(plain).toContain('1 passed, 0 failed')
  })

  test.skipIf(!existsSync('/proc/self/environ'))('leaves nothing behind after Ctrl-C', async () => {
    const home = await tempDir()
    const temp = await tempDir()
    const child = spawn(
      process.execPath,
      [`${projectRoot}bin/run.js`, 'qa', 'suite', '--scenario', 'config-hot-reload'],
      { cwd: home, env: { ...isolatedEnv(home), TMPDIR: temp }, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let said = ''
    for await (const chunk of child.stderr) {
      said += String(chunk)
      if (said.includes('the Gateway starts')) break
    }
    expect(livingBelow(temp).length).toBeGreaterThan(1)
    child.kill('SIGINT')
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
    expect(code).toBe(130)
    await expect.poll(() => livingBelow(temp), { timeout: 10_000 }).toEqual([])
    expect(readdirSync(temp).filter((name) => name.startsWith('openclaw-qa-'))).toEqual([])
  })
})
