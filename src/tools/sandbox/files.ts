import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import type { SandboxFiles } from './bubblewrap.ts'
import { sandboxesDir } from './scope.ts'
import { seccompFilter } from './seccomp.ts'

/** Writes the files that sandboxes of this user are made with, where they are not as they should be. */
export function sandboxFiles(stateDir: string, uid: number, gid: number): SandboxFiles {
  const dir = join(sandboxesDir(stateDir), 'system')
  makeDirectory(dir)
  const [user, group] = [uid === 0 ? 1000 : uid, gid === 0 ? 1000 : gid]
  const filter = seccompFilter(process.arch)
  return {
    passwd: keep(
      join(dir, 'passwd'),
      Buffer.from(
        `sandbox:x:${user}:${group}:sandbox:/tmp/home:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n`,
      ),
    ),
    group: keep(join(dir, 'group'), Buffer.from(`sandbox:x:${group}:\nnogroup:x:65534:\n`)),
    seccomp: filter === null ? null : keep(join(dir, `seccomp-${process.arch}.bpf`), filter),
  }
}

/** A file that others are reading is replaced, never written into. */
function keep(file: string, content: Uint8Array): string {
  try {
    if (readFileSync(file).equals(content)) return file
  } catch {
    // Not there yet.
  }
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, content, { mode: 0o644 })
  renameSync(temporary, file)
  return file
}
