import { describe, expect, test } from 'vitest'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { smallHome } from '../helpers/small-home.ts'

const secrets = `{
  gateway: { auth: { mode: "token", token: "a-very-secret-token" } },
  models: { providers: { px: { apiKey: "\${PX_KEY}", baseUrl: "https://px.example.com" } } },
  mcp: { servers: { docs: { url: "https://docs.example.com/mcp", transport: "streamable-http", headers: { Authorization: "Bearer sk-123456" } } } },
  tools: { deny: ["exec"] },
}`

test('everything an answer depends on, without secrets', async () => {
  const home = await tempDir({ '.openclaw/openclaw.json': secrets })
  const env = { PX_KEY: 'sk-from-the-environment' }
  const args = ['tools', 'snapshot', '--channel', 'discord', '--sender', 'id:7', '--no-owner']
  const run = await runCli(args, { home, env })
  expect(run).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "",
      "stdout": "{
      "edition": "2026.7",
      "config": {
        "gateway": {
          "auth": {
            "mode": "token",
            "token": "__OPENCLAW_REDACTED__"
          }
        },
        "models": {
          "providers": {
            "px": {
              "apiKey": "__OPENCLAW_REDACTED__",
              "baseUrl": "https://px.example.com"
            }
          }
        },
        "mcp": {
          "servers": {
            "docs": {
              "url": "https://docs.example.com/mcp",
              "transport": "streamable-http",
              "headers": {
                "Authorization": "__OPENCLAW_REDACTED__"
              }
            }
          }
        },
        "tools": {
          "deny": [
            "exec"
          ]
        }
      },
      "context": {
        "agentId": "main",
        "channel": "discord",
        "sender": {
          "id": "7",
          "isOwner": false
        },
        "sandboxed": false,
        "harness": "openclaw",
        "supports": {
          "tools": true,
          "vision": true,
          "permission": true
        }
      },
      "inventory": {
        "plugins": {},
        "mcp": {},
        "client": [],
        "channel": [],
        "providers": {
          "image": false,
          "image_generate": false,
          "video_generate": false,
          "music_generate": false,
          "pdf": false,
          "tts": true,
          "web_search": true,
          "x_search": false,
          "code_execution": false
        }
      }
    }
    ",
    }
  `)
  expect(run.stdout).not.toMatch(/very-secret|sk-/)
  expect(await runCli([...args, '--json'], { home, env })).toEqual(run)
})

describe('--replay', () => {
  const effective = ['tools', 'effective', '--json']

  test('gives the same answer in an empty home, and takes changes on top', async () => {
    const home = await smallHome()
    const session = [
      '--inventory',
      'inventory.json5',
      '--agent',
      'guest',
      '--channel',
      'discord',
      '--group',
      'g1',
    ]
    const { stdout: snapshot } = await runCli(['tools', 'snapshot', ...session], { home })
    const first = await runJson([...effective, ...session], { home })
    const elsewhere = await tempDir({ 'case.json': snapshot })
    const again = await runJson([...effective, '--replay', 'case.json'], { home: elsewhere })
    const placeless = (json: unknown) =>
      JSON.parse(JSON.stringify(json, (key, value) => (key === 'location' ? null : value)))
    expect(placeless(again.json)).toEqual(placeless(first.json))
    expect((await runJson([...effective, '--replay', '-'], { stdin: snapshot })).json).toEqual(again.json)

    const read = async (args: readonly string[]) =>
      (
        await runCli(['tools', 'effective', '--output', 'names', '--replay', '-', ...args], {
          stdin: snapshot,
        })
      ).stdout
        .split('\n')
        .filter((name) => name !== '')
    expect(await read([])).toEqual(['read', 'image', 'pick_file'])
    expect(await read(['--set', 'tools.deny=["image"]'])).toEqual(['read', 'pick_file'])
    expect(await read(['--tools-allow', 'image'])).toEqual(['image', 'pick_file'])
    expect(await read(['--agent', 'main', '--tools-allow', 'exec'])).toEqual(['exec', 'pick_file'])
  })

  test('explains, too', async () => {
    const { stdout: snapshot } = await runCli(['tools', 'snapshot', '--agent', 'guest'], {
      home: await smallHome(),
    })
    expect((await runCli(['tools', 'explain', 'exec', '--replay', '-'], { stdin: snapshot })).stdout)
      .toMatchInlineSnapshot(`
      "exec is hidden in agent:guest:main
        agent.tools.allow: agents.list[1].tools.allow does not include it

      note: agents.list[1].tools.exec only sets how the tool works; a section never makes a tool visible

      fix: openclaw config set 'agents.list[1].tools.allow' --append exec
      "
    `)
  })

  const broken: Record<string, string> = {
    'no object': '[]',
    'no config': '{ "edition": "2026.7" }',
    'a strange edition': '{ "edition": "2026.8", "config": {} }',
    'an invalid config': '{ "config": { "tools": { "deny": 7 } } }',
    'a strange context': '{ "config": {}, "context": { "agent": "main" } }',
    'a strange inventory': '{ "config": {}, "inventory": { "plugin": {} } }',
    'an agent that is not there': '{ "config": {}, "context": { "agentId": "work" } }',
    'a config': '{ "tools": {} }',
  }
  test.each(Object.keys(broken))('%s', async (name) => {
    const home = await tempDir({ 'case.json': broken[name] ?? '' })
    const { code, stdout, stderr } = await runCli(['tools', 'effective', '--replay', 'case.json'], { home })
    expect({ code, stdout, stderr: stderr.replaceAll(home, '~') }).toMatchSnapshot()
  })
})
