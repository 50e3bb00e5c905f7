import type { SearchDocument } from '../../../src/tool-search/document.ts'
import { buildIndex, type SearchIndex } from '../../../src/tool-search/index.ts'

/** An MCP tool of a server. */
export function mcp(server: string, tool: string, description: string): SearchDocument {
  const name = `${server}__${tool}`
  return { id: `mcp:${server}:${name}`, name, description, source: 'mcp', sourceName: server }
}

/** A tool of a plugin. */
export function plugin(
  owner: string,
  name: string,
  description: string,
  extra: Partial<SearchDocument> = {},
): SearchDocument {
  return {
    id: `openclaw:${owner}:${name}`,
    name,
    description,
    source: 'openclaw',
    sourceName: owner,
    ...extra,
  }
}

/** A small catalogue of everyday tools. */
export const tools: readonly SearchDocument[] = [
  mcp('git', 'git_create_branch', 'Creates a new branch from an optional base branch'),
  mcp('git', 'git_log', 'Shows the commit logs'),
  mcp('git', 'git_diff', 'Shows differences between branches or commits'),
  mcp('filesystem', 'create_directory', 'Create a new directory or ensure a directory exists.'),
  mcp('filesystem', 'list_directory', 'Get a detailed listing of all files and directories in a path.'),
  mcp('filesystem', 'read_text_file', 'Read the complete contents of a file as text.'),
  mcp('filesystem', 'write_file', 'Create a new file or overwrite an existing file with new content.'),
  mcp('weather', 'get_forecast', 'Get the weather forecast for a city. Units are metric by default.'),
  mcp('hackernews', 'getStories', 'Get multiple stories by type'),
  mcp('docker', 'list-containers', 'List all Docker containers'),
  mcp('charts', 'generate_pie_chart', 'Generate a pie chart to show the proportion of parts'),
  mcp('exchange', 'exchange_rate', 'Exchange rate between two currencies'),
  mcp('news', 'get-hot', '获取微博热搜榜，包含时事热点'),
  mcp('memory', 'search_nodes', 'Search for nodes in the knowledge graph'),
  plugin('mailer', 'send_email', 'Send an email message to a recipient', {
    parameters: [
      { name: 'attachments', description: 'Files to attach' },
      { name: 'priority', values: ['urgent', 'normal'] },
    ],
  }),
  plugin('core', 'sessions_spawn', 'Start a sub-agent session'),
  plugin('core', 'whoami', 'Name of the current user'),
]

export const index: SearchIndex = buildIndex(tools)
