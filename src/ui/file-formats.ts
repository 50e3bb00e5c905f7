import type { HelpEntry } from './help-pages.ts'

/** The files that commands read besides the config, each with every field it may have (contract §2 and §5). */
export const fileFormats: readonly HelpEntry[] = [
  {
    name: 'config',
    text: 'JSON5. `$include: "./other.json5"` merges another file in, `${VAR}` stands for a variable. `openclaw config schema` prints every field, `openclaw config list --origin` what is set where.',
  },
  {
    name: 'context',
    text: [
      'Whose tools, for `--context FILE`; every field is optional, and single flags win over the file:',
      '{ sessionKey, agentId, provider, model, channel, accountId, groupId, threadId, sender: { id, e164, username, name, isOwner }, sandboxed, spawnedBy, spawnDepth, subagentRole, inherited: { allow, deny }, toolsAllow, harness, supports: { tools, vision, permission }, clientCaps, disableTools, heartbeat }',
      'Example: { agentId: "work", channel: "discord", groupId: "g1", sender: { id: "100", isOwner: false } }',
    ].join('\n'),
  },
  {
    name: 'inventory',
    text: [
      'Which tools exist, for `--inventory FILE`, instead of what is installed and connected here; built-in tools are always there:',
      '{ plugins: { ID: { enabled, tools: [NAME, { name, optional, description, parameters }] } }, mcp: { SERVER: { status, tools: [{ name, description, inputSchema }] } }, client: [{ name }], channel: [{ channelId, name }], providers: { image, image_generate, video_generate, music_generate, tts, web_search, x_search, pdf, code_execution } }',
      'Example: { plugins: { notes: { tools: ["note_add"] } }, mcp: { github: { status: "connected", tools: [{ name: "create_issue" }] } } }',
    ].join('\n'),
  },
  {
    name: 'snapshot',
    text: 'What `openclaw tools snapshot` prints: { edition, config, context, inventory }, secrets redacted. `--replay FILE` answers from it on any machine.',
  },
  {
    name: 'results',
    text: 'What commands print under `--json` is described by JSON Schemas in `dist/schemas` of the package. Objects may gain fields; no field goes away or changes its type.',
  },
  {
    name: 'policy-test',
    text: [
      'For `openclaw tools test FILE`: a snapshot with cases; what a case says itself replaces what the file says:',
      '{ edition, config, inventory, context, cases: [{ name, edition, config, inventory, context, expect }] }',
      'expect holds any of: visible, direct, deferred, hidden, unavailable (names; hidden and unavailable also as { tool, step }), notices, notNotices (ids), configInvalid: true. Tools that are not named are not checked.',
      'Example: { config: { tools: { deny: ["exec"] } }, cases: [{ name: "no shell", expect: { visible: ["read"], hidden: [{ tool: "exec", step: "tools.deny" }] } }] }',
    ].join('\n'),
  },
]
