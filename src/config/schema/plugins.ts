import { Type } from 'typebox'
import { flag, names, open, optional, record, secret, section, strict, text } from './kit.ts'

const pluginEntry = strict(
  {
    enabled: flag('Use the plugin.'),
    config: record(Type.Unknown(), 'Settings of the plugin; its manifest says which.'),
    apiKey: secret('Key the plugin uses.'),
    env: record(Type.Unknown(), 'Environment of the plugin.', { sensitive: true }),
    hooks: section('Hooks the plugin may use.'),
    subagent: section('Subagents the plugin may start.'),
    llm: section('Models the plugin may use.'),
  },
  { title: 'PluginEntry', misplaced: { disabled: 'enabled', settings: 'config', options: 'config' } },
)

/** `plugins`: which plugins run, and their settings. */
export const plugins = strict(
  {
    enabled: flag('Use plugins at all.', { default: true }),
    allow: names('Only these plugins. Unset or empty means all.'),
    deny: names('None of these plugins; wins over allow.'),
    entries: record(pluginEntry, 'Plugins by id.'),
    slots: record(
      Type.Union([Type.String(), Type.Null()]),
      'Plugin that fills a slot; none leaves it empty.',
    ),
    load: optional(open({ paths: names('More plugin directories.') }), 'Where plugins are found.'),
    installs: record(Type.Unknown(), 'Record of installed plugins; written by the program.'),
    bundledDiscovery: text('How bundled plugins are found.'),
  },
  {
    description: 'Plugins.',
    misplaced: { paths: 'plugins.load.paths', disabled: 'enabled', config: 'plugins.entries.<id>.config' },
  },
)
