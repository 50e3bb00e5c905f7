import { tempDir } from './run-cli.ts'

/** A config small enough to see at a glance what an answer should be. */
export const smallConfig = `{
  // Everybody codes; nobody reaches the web.
  tools: {
    profile: "coding",
    alsoAllow: ["notes", "github__*"],
    deny: ["group:web", "note_wipe"],
    exec: { host: "gateway" },
  },
  agents: {
    list: [
      { id: "main", tools: { deny: ["process"] } },
      { id: "guest", tools: { allow: ["read", "image"], exec: { ask: "always" } } },
    ],
  },
}
`

/** One tool of every source, and one that waits for its server. */
export const smallInventory = `{
  plugins: { notes: { tools: ["note_add", "note_wipe"] }, extras: { tools: [{ name: "extra_run", optional: true }] } },
  mcp: {
    github: { status: "connected", tools: [{ name: "create_issue", description: "Open an issue", inputSchema: { type: "object" } }] },
    wiki: { status: "failed", tools: [{ name: "find" }] },
  },
  channel: [{ channelId: "discord", name: "discord_react", description: "React to a message" }],
  client: [{ name: "pick_file", description: "Ask for a file" }],
  providers: { image: true, image_generate: false, video_generate: false, music_generate: false, tts: false, web_search: true, x_search: false, pdf: false, code_execution: false },
}
`

/** A home with the small config and inventory in \`~/.openclaw\` and \`~/inventory.json5\`. */
export async function smallHome(more: Readonly<Record<string, string>> = {}): Promise<string> {
  return tempDir({
    '.openclaw/openclaw.json': smallConfig,
    'inventory.json5': smallInventory,
    ...more,
  })
}
