/** Tool names of other products by lower-case name, with the tools here that do the same work, best first. */
export const foreignNames: Readonly<Record<string, readonly string[]>> = {
  bashoutput: ['process'],
  cat: ['read'],
  create_file: ['write'],
  edit_file: ['edit'],
  execute_command: ['exec'],
  fetch: ['web_fetch'],
  file_read: ['read'],
  find: ['exec', 'ls'],
  glob: ['exec', 'ls'],
  grep: ['exec', 'read'],
  killshell: ['process'],
  list_dir: ['ls', 'exec'],
  list_directory: ['ls', 'exec'],
  ls: ['exec'],
  multiedit: ['edit', 'apply_patch'],
  notebookedit: ['edit'],
  patch: ['apply_patch'],
  powershell: ['exec'],
  python: ['exec', 'code_execution'],
  read_file: ['read'],
  replace: ['edit'],
  run_code: ['exec', 'code_execution'],
  run_command: ['exec'],
  run_shell_command: ['exec'],
  run_terminal_cmd: ['exec'],
  shell: ['exec'],
  spawn: ['sessions_spawn'],
  str_replace: ['edit'],
  str_replace_based_edit_tool: ['edit'],
  str_replace_editor: ['edit'],
  task: ['sessions_spawn'],
  todo: ['update_plan', 'progress_card'],
  todowrite: ['update_plan', 'progress_card'],
  webfetch: ['web_fetch'],
  websearch: ['web_search'],
  write_file: ['write'],
}

/** Tools that carry another name in the other edition, both ways. */
export const editionNames: readonly (readonly [older: string, newer: string])[] = [
  ['cron', 'automations'],
  ['image', 'view_image'],
  ['update_plan', 'progress_card'],
  ['spawn_task', 'suggest_task'],
]

/** The name of a tool in the edition that has not got `name`; null when it is not renamed. */
export function renamedTo(name: string, has: (name: string) => boolean): string | null {
  for (const pair of editionNames) {
    const other = pair[0] === name ? pair[1] : pair[1] === name ? pair[0] : null
    if (other !== null && has(other)) return other
  }
  return null
}
