import { execFileSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { projectRoot } from './project.ts'

/** Builds dist/ before the tests if any source is newer, so that the tests of the command line never judge an old build. */
export default function buildOnce(): void {
  const built = `${projectRoot}dist/oclif.manifest.json`
  const sources = globSync(['{bin,src,commands}/**/*', 'package.json', 'package-lock.json'], {
    cwd: projectRoot,
  })
  const newest = Math.max(...sources.map((file) => statSync(`${projectRoot}${file}`).mtimeMs))
  if (existsSync(built) && statSync(built).mtimeMs > newest) return
  execFileSync(process.execPath, ['bin/build.ts'], {
    cwd: projectRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
