import { spawnSync } from 'node:child_process'

/** CPU milliseconds, user and system, of one run of Node; the shell measures because Node tells nothing about a child's CPU. */
export function childCpu(
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): number {
  const timed = 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null'
  const { stderr } = spawnSync('bash', ['-c', timed, process.execPath, ...args], {
    encoding: 'utf8',
    ...options,
  })
  const times = /([\d.]+) ([\d.]+)\s*$/.exec(stderr)
  if (!times) throw new Error(`no times in: ${stderr}`)
  return (Number(times[1]) + Number(times[2])) * 1000
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
