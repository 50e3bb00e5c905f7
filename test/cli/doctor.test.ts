import { describe, expect, test } from 'vitest'
import { runCli, tempDir } from '../helpers/run-cli.ts'

describe('doctor', () => {
  test('says what holds on this machine', async () => {
    const { code, stdout } = await runCli(['doctor', '--json'])
    const report = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(report.ok).toBe(true)
    expect(report.checks.map((check: { id: string }) => check.id)).toEqual([
      'node',
      'config',
      'config-notices',
      'tools',
      'code-mode',
    ])
    const holding = report.walls.filter((wall: { holds: boolean }) => wall.holds)
    expect(holding.map((wall: { id: string }) => wall.id)).toEqual(
      expect.arrayContaining(['permission', 'realm', 'environment']),
    )
  })

  test('a config that is invalid fails it, with the place', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': '{ "tools": { "profile": "codng" } }' })
    const { code, stdout } = await runCli(['doctor'], { home })
    expect(code).toBe(1)
    expect(stdout).toContain('openclaw.json:1:25')
    expect(stdout).toContain('did you mean "coding"?')
  })

  test('a session without tools is a warning', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': '{ "tools": { "deny": ["*"] } }' })
    const { code, stdout } = await runCli(['doctor'], { home })
    expect(code).toBe(0)
    expect(stdout).toContain('! tools  the main session of main has no tools')
  })
})
