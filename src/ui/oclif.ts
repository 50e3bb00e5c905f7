/** What oclif reads from a package.json: how commands are found and what each topic is about. */
export const oclifSettings = {
  bin: 'openclaw',
  dirname: 'openclaw',
  commands: './commands',
  topicSeparator: ' ',
  additionalHelpFlags: ['-h'],
  topics: {
    tools: { description: 'Which tools a session has, and why not the others.' },
    config: { description: 'Read, check and change the config file.' },
    sessions: { description: 'Stored sessions and what happened in them.' },
    plugins: { description: 'Installed plugins and the tools they bring.' },
    mcp: { description: 'MCP servers and their tool lists.' },
    approvals: { description: 'Calls that wait for a yes.' },
    'approvals:allowlist': { description: 'Programs that commands may start without a question.' },
    sandbox: { description: 'What the sandbox means for a session.' },
    gateway: { description: 'The server that other programs ask.' },
    qa: { description: 'Scenarios that check the whole program.' },
  },
}
