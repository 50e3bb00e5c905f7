#!/usr/bin/env node
// Plain JavaScript that old Node versions parse too: they must get as far as the message below.
import module from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Not imported: that would load all lazy parts of the file system module, which cost a sixth of an empty start.
const require = module.createRequire(import.meta.url)
const { existsSync, readFileSync, writeFileSync } = require('node:fs')

// Code of plugins finds a process.exit that throws; this one ends the program.
const exit = process.exit.bind(process)
const argv = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
const { name, version, engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** Ends the program when its answer cannot be written. */
function onLostOutput(output, error) {
  // Nobody reads the messages; the answer and the exit code still count.
  if (output === 'stderr') return
  // `| head -1` closes the pipe when it has seen enough; that is no failure.
  if (error.code === 'EPIPE') exit(0)
  say('stderr', `error: cannot write the output: ${error.message}\n`)
  exit(1)
}

/** Writes a few lines; a stream of Node would cost more than the rest of what leads to them. */
function say(output, text) {
  try {
    writeFileSync(output === 'stdout' ? 1 : 2, text)
  } catch (error) {
    onLostOutput(output, error)
  }
}

function supports(range, [major, minor]) {
  return range.split('||').some((part) => {
    const [, operator, wantedMajor, wantedMinor] = /(\^|>=)(\d+)\.(\d+)/.exec(part)
    if (major === Number(wantedMajor)) return minor >= Number(wantedMinor)
    return operator === '>=' && major > Number(wantedMajor)
  })
}

/** The failures before the program proper is there; same form as all others. */
function refuse(code, message, hints, exitCode) {
  if (argv.includes('--json')) {
    say('stdout', `${JSON.stringify({ error: { code, message, hints, data: {} } }, null, 2)}\n`)
  } else {
    say('stderr', [`error: ${message}`, ...hints.map((hint) => `try: ${hint}`), ''].join('\n'))
  }
  process.exitCode = exitCode
}

/**
 * Has every function of the files to come compiled at once. The compile cache stores a file as it is right after compiling; by
 * default that leaves most functions out, and each start compiles the ones it runs anew, a sixth of its CPU. Never switched
 * back: a cached file is only good for a start that compiles it in the same way.
 */
function compileWhole(command) {
  const { setFlagsFromString } = require('node:v8')
  setFlagsFromString('--no-lazy')
  // What V8 does to make functions fast pays after long use only: a command over a thousand tools spent a tenth of its CPU on code
  // it then hardly ran, and a short answer a twentieth, while a config of megabytes is read in a few long loops and a server calls the
  // same functions for days. Set where the flags are known to exist, since an unknown one makes V8 write to stderr.
  if (!process.versions.node.startsWith('26.') || command === 'gateway run') return
  setFlagsFromString(`--invocation-count-for-maglev=${command.startsWith('config ') ? 1_000 : 40_000}`)
  if (command === 'tools effective') setFlagsFromString('--no-sparkplug')
}

/**
 * What programs that speak over the network need of Node, by their commands. Node has these modules compiled, for the flags it was
 * started with: after `compileWhole` each would be compiled anew, which took a server a fifth of its CPU until its first answer.
 */
const network =
  'crypto https http zlib dns cluster worker_threads perf_hooks stream/web fs/promises sqlite'.split(' ')
const builtins = { 'gateway run': network, 'qa suite': network, agent: network }

async function start() {
  const { status } = module.enableCompileCache()
  const { ENABLED, ALREADY_ENABLED } = module.constants.compileCacheStatus
  const isCached = status === ENABLED || status === ALREADY_ENABLED
  // `npm run openclaw` starts in the package; the user means the directory they typed it in.
  const { npm_lifecycle_event: script, INIT_CWD: typedIn } = process.env
  if (script === 'openclaw' && typedIn && resolve(process.cwd()) === resolve(root) && existsSync(typedIn)) {
    process.chdir(typedIn)
  }
  const { run } = await import('../dist/main.js')
  const { exitCode, abandoned } = await run(argv, {
    name,
    version,
    onLostOutput,
    ...(isCached && {
      beforeImport: (command) => {
        for (const builtin of builtins[command] ?? []) require(`node:${builtin}`)
        compileWhole(command)
      },
    }),
  })
  process.exitCode = exitCode
  if (abandoned) exit()
  // Timers and sockets of a plugin must not keep a command that is done; without any this timer does not either.
  setTimeout(() => exit(), 250).unref()
}

if (!supports(engines.node, process.versions.node.split('.').map(Number))) {
  const found = `this is ${process.versions.node} (${process.execPath})`
  const hints = existsSync(`${root}node_modules/.bin/node`)
    ? [`npx openclaw …, in ${root}: it starts with the Node.js that this project brings`]
    : []
  refuse('USAGE', `openclaw needs Node.js ${engines.node}; ${found}`, hints, 2)
} else if (argv.find((word) => word !== '--json') === '--version') {
  const { platform, versions } = process
  const facts = { version, node: versions.node, platform }
  say(
    'stdout',
    argv.includes('--json')
      ? `${JSON.stringify(facts, null, 2)}\n`
      : `openclaw ${version} node-${versions.node} ${platform}\n`,
  )
} else if (!existsSync(`${root}dist/main.js`)) {
  refuse('INTERNAL', `${root} is not built yet`, [`npm run build, in ${root}`], 1)
} else {
  await start()
}
