/** What each notice means and what to do about it, by notice id (contract §4). */
export const noticeHelp = {
  'unknown-entry':
    'A list names something that is no tool, group, plugin or pattern known here, so the entry does nothing. Check the spelling against `openclaw tools catalog`; the notice suggests near names. If the tool comes with a plugin or MCP server that is not set up on this machine, the entry works there and not here.',
  'unavailable-entry':
    'A list names a tool that is known but cannot exist in this session: its plugin is missing or off, its provider is not configured, or the edition does not have it. The entry is harmless. `openclaw tools explain NAME` says what the tool waits for.',
  'empty-allow':
    '`allow: []` means no restriction, not "no tools". To take every tool away write `deny: ["*"]`; to keep everything remove the empty list.',
  'dead-rule':
    'An entry can never change an answer: an earlier deny already covers it, or an allow list does not let anything of it through. Remove it, or fix the entry that makes it dead.',
  'shadowed-rule':
    'A more specific setting replaces this one as a whole, for example an agent\'s sandbox list the global one, a "provider/model" key the "provider" key, or a group its "*" fallback. Lists are not merged there: move the entries you still need into the list that wins.',
  'untyped-sender-key':
    'A key of `toolsBySender` does not say what kind of name it is, so it is only compared with sender ids. Write `id:`, `e164:`, `username:` or `name:` in front of it.',
  'configured-but-hidden':
    'A section configures a tool that policy hides, such as `tools.exec` while `exec` is denied. Settings never grant a tool. Allow it with `allow` or `alsoAllow`, or drop the section.',
  'also-allow-grants-nothing':
    '`alsoAllow` adds to a list of its own scope, but no list there restricts anything, or a later step hides the tool again. Remove the entry, or ask `openclaw tools explain NAME` which step to change.',
  'also-allow-replaced':
    "An agent's `alsoAllow` replaces the global one; the two are not added up. Repeat the global entries at the agent if it should have them, too.",
  'allow-outside-profile':
    '`allow` narrows the profile, it never widens it: an entry outside the profile grants nothing. Use `alsoAllow` to add to a profile, or choose a wider profile.',
  'glob-skips-plugin-tools':
    'In an allow list a pattern such as `note_*`, or a group of built-in tools, does not select plugin tools. Name the tool, its plugin id or `group:plugins`. Deny patterns do match them.',
  'partial-write-deny':
    'Some of `write`, `edit` and `apply_patch` are denied and some are not, so files can still be changed. Deny `group:fs` or all three.',
  'sender-key-lifts-default':
    'A sender who matches an own key of `toolsBySender` is judged by that key alone; the denials of the "*" key do not apply to them. Repeat those in the own key if they should stay.',
  'plugins-allow-restricts':
    '`plugins.allow` is set, so every plugin that it does not name is off, bundled ones included. Add the plugin id, or remove the list.',
  'no-callable-tools':
    'No tool is left for the model: the steps together hide everything. `openclaw tools effective --why` shows which step hides most.',
  'name-conflict':
    'Two sources offer a tool of the same name; the first one keeps it and the other is left out. A plugin or MCP tool never replaces a built-in tool. Rename it, or disable one of the two.',
  'duplicate-id':
    'Two plugins or two agents have the same id; only the first counts. Give one of them another id.',
  'invalid-tool':
    'A declared tool cannot be offered as it is: it has no usable name or its parameters are no object schema. The notice names the source; correct the declaration there.',
  'mcp-stale':
    'The tool list of an MCP server is the one seen last, not a fresh one; the notice says how old it is. `openclaw mcp probe` asks the server again.',
  'mcp-unreachable':
    'An MCP server could not be started or reached, so its tools are missing. `openclaw mcp probe` shows what happened.',
  'mcp-filter-matches-nothing':
    'An entry of `toolFilter` matches no tool of its server. Entries are the names which the server itself uses, or `<server>__<tool>`; `*` stands for any characters.',
  'plugin-invalid':
    'A plugin, or a place where the config looks for plugins, cannot be used: a broken manifest, no code, or a path that leads nowhere. Only this plugin is affected; `openclaw plugins inspect ID` says what to correct.',
  'schema-quarantined':
    "A tool's input schema cannot be used: no object, not compilable, too large, too deep, or pointing outside itself. Only this tool is left out. The author of the plugin or server has to correct it.",
  'session-store-unreadable':
    'A session store is there but could not be read, so the session is judged without it. The notice names the file and the cause; the store itself was not touched.',
  'context-field-dropped':
    'Something that was said about the session cannot be true for its session key, such as a group the key does not belong to, so it was left out. Give the right key, or no key.',
  'session-not-stored':
    'The session key is in no session store; the answer follows from what the key itself says. Channel, sender or model of the real session may differ; add them as flags.',
  'edition-mismatch':
    'The config uses something of another edition, or was last written by one. Choose the edition with `--edition`, or write the setting in the form of this edition.',
  'unknown-key':
    'The config has a key that is not read: one at the top which no edition knows, or one further down that is nearly a known key. It is kept as it is. Check the spelling; the notice suggests near keys.',
  'duplicate-key':
    'An object of the config has the same key twice. Only the last one is read; what the earlier one says has no effect. Merge the two, or remove the one that is not meant.',
  'env-missing':
    'A `${VAR}` in the config names a variable that is not set here; the text stays as it is. Set the variable, or write `$${VAR}` for the literal text.',
  'tool-search-fallback':
    'Tool Search cannot run in the mode that was asked for and uses another one, or none; the notice says why. Set `tools.toolSearch.mode` to that mode, or let policy have its controls.',
  'tool-search-small-catalog':
    'So few tools are behind Tool Search that sending their schemas directly would cost less than searching for them. Switch `tools.toolSearch` off for this agent, or ignore it.',
  'code-mode-unsupported':
    '`tools.codeMode` is recognised and out of scope here: it is neither checked nor applied, and the answers describe a session without it.',
  'mcp-config':
    'A setting of an MCP server cannot work as written: an address that is not http or https, neither a command nor a url, `env` beside a url, or no transport named. The notice says what to write instead; the other servers are not affected.',
  'secret-ref':
    'An object stands where a secret belongs, but it is no complete reference, so the secret is missing when it is needed. Write `{ source: "env", provider: "default", id: "NAME" }`, or the string `${NAME}`.',
  'include-edited':
    'The value that was changed comes from an included file, so that file was edited and the root config was not. Check who else includes the file; `config undo` takes the change back there.',
  'reference-kept':
    'The new value is what a `${VAR}` in the config already stands for, so the reference stays as it is written. To write the value itself, unset the path first.',
  'errors-left':
    'The write was done, and the config still has errors that it had before, so most commands refuse it. `openclaw config validate` lists them with their places; mend them one by one.',
  'write-recovered':
    'An earlier write of several files was cut off between two of them, and the files it had changed went back to what they were. Repeat that edit if it is still wanted.',
  'write-incomplete':
    'The config is written, but something beside it is not: the audit or a backup. The notice says why; until that is mended `config undo` may not know this write.',
} as const satisfies Readonly<Record<string, string>>

/** An id of contract §4; everything that is noticed about a config or an inventory carries one. */
export type NoticeId = keyof typeof noticeHelp
