#!/usr/bin/env node
// Plain JavaScript that old Node versions parse too: they must get as far as the message below.
import module from 'node:module'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const argv = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
const { name, version, engines } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

// `| head -1` closes the pipe when it has seen enough; that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

function supports(range, [major, minor]) {
  return range.split('||').some((part) => {
    const [, operator, wantedMajor, wantedMinor] = /(\^|>=)(\d+)\.(\d+)/.exec(part)
    if (major === Number(wantedMajor)) return minor >= Number(wantedMinor)
    return operator === '>=' && major > Number(wantedMajor)
  })
}

if (!supports(engines.node, process.versions.node.split('.').map(Number))) {
  const message = `openclaw needs Node.js ${engines.node}; this is ${process.versions.node} (${process.execPath})`
  process.stderr.write(`error: ${message}\n`)
  if (argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ error: { code: 'USAGE', message, hints: [], data: {} } })}\n`)
  }
  process.exitCode = 2
} else if (argv[0] === '--version') {
  process.stdout.write(
    `openclaw ${version} node-${process.versions.node} ${process.platform}-${process.arch}\n`,
  )
} else {
  module.enableCompileCache()
  // `npm run openclaw` starts in the package; the user means the directory they typed it in.
  if (
    process.env.npm_lifecycle_event === 'openclaw' &&
    process.env.INIT_CWD &&
    `${process.cwd()}/` === root
  ) {
    process.chdir(process.env.INIT_CWD)
  }
  const { run } = await import('../dist/main.js')
  const { exitCode, abandoned } = await run(argv, { name, version })
  process.exitCode = exitCode
  if (abandoned) process.exit()
}
