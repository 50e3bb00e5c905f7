#!/usr/bin/env node
// The same program over the .ts sources, without a build: Node strips the types.
import { globSync, readFileSync } from 'node:fs'
import { dispatch } from '../src/ui/dispatch.ts'
import { oclifSettings } from '../src/ui/oclif.ts'

// Code of plugins finds a process.exit that throws; this one ends the program.
const exit = process.exit.bind(process)
const root = new URL('..', import.meta.url).pathname
const { name, version, description } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

const commands = Object.fromEntries(
  globSync('**/*.ts', { cwd: `${root}commands` }).map((file) => [
    file.slice(0, -3).replaceAll('/', ' '),
    () => import(`../commands/${file}`),
  ]),
)
const pjson = { name, version, description, type: 'module', oclif: oclifSettings }
const { exitCode, abandoned } = await dispatch(process.argv.slice(2), {
  name,
  version,
  root,
  pjson,
  commands,
})
process.exitCode = exitCode
if (abandoned) exit()
// Timers and sockets of a plugin must not keep a command that is done; without any this timer does not either.
setTimeout(() => exit(), 250).unref()
