import { execa } from 'execa'
import { markVariable } from './family-tree.ts'

/*
 * A program that is killed cannot end what it has started. A shell that waits at the other end of a pipe can: the kernel closes the pipe
 * whatever became of the program. It knows the groups that live, and finds the rest by their mark.
 */
const script = `
groups=
while read -r word group; do
  case $word in
    add) groups="$groups $group" ;;
    del)
      kept=
      for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
      groups=$kept ;;
    end) exit 0 ;;
  esac
done
for round in 1 2 3 4 5 6 7 8; do
  for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
  found=$(grep -lszF -- "$1" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$found" ] || break
  for file in $found; do
    file=\${file#/proc/}
    kill -s KILL "\${file%/environ}" 2>/dev/null
  done
done
`

const patienceMs = 1_000

/** Ends what is left of a program's commands when the program is gone, however it went. */
export class Guard {
  readonly #shell

  /** Starts it for the commands whose mark begins with `mark`. */
  constructor(mark: string) {
    this.#shell = execa('/bin/sh', ['-c', script, 'openclaw-guard', `${markVariable}=${mark}`], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      extendEnv: false,
      cwd: '/',
      // A session of its own: what a terminal sends to this program must not end its guard.
      detached: true,
      cleanup: false,
      reject: false,
      buffer: false,
      stdin: 'pipe',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    this.#shell.stdin.on('error', () => {})
    this.#shell.nodeChildProcess.unref()
    // The pipe alone must not keep the program either.
    const { stdin } = this.#shell
    if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  }

  add(group: number): void {
    this.#tell(`add ${group}`)
  }

  remove(group: number): void {
    this.#tell(`del ${group}`)
  }

  /** Lets it go when nothing is left to guard. */
  async end(): Promise<void> {
    this.#tell('end')
    this.#shell.stdin.end()
    this.#shell.nodeChildProcess.ref()
    // One that is stopped would keep the program for ever.
    const timer = setTimeout(() => this.#shell.kill('SIGKILL'), patienceMs)
    await this.#shell
    clearTimeout(timer)
  }

  #tell(line: string): void {
    if (this.#shell.stdin.writable) this.#shell.stdin.write(`${line}\n`)
  }
}
