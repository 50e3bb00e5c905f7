const longestParent = 120

/** Id of a call that a control makes (tool search facts §1.9): `tool_search_code:<parent>:<tool>:<n>` in every mode, as logs of all editions have it. */
export function nestedCallId(parent: string | undefined, toolName: string, count: number): string {
  const safe = parent?.replaceAll(/[^A-Za-z0-9_.:-]+/g, '_').slice(0, longestParent)
  const owner = parent === undefined ? 'direct' : safe === '' ? 'call' : safe
  return `tool_search_code:${owner}:${toolName}:${count}`
}

/** Whether an id is that of a nested call. */
export function isNestedCallId(id: string): boolean {
  return /^tool_search_code:.+:[^:]+:\d+$/.test(id)
}
