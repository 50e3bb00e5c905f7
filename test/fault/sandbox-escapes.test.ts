import { spawn } from 'node:child_process'
import {
  existsSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { escapes } from '../helpers/sandbox-escapes.ts'
import { testSandbox, whyNoSandbox, type Starter, type TestSandbox } from '../helpers/sandbox.ts'

const why = await whyNoSandbox()
const reason = why === null ? '' : ` (skipped: ${why})`
const isRoot = process.geteuid?.() === 0
const starters: readonly Starter[] = isRoot ? ['self', 'nobody'] : ['self']

/** A server that counts who comes. */
async function listening(
  where: string | number,
): Promise<{ readonly server: Server; readonly came: () => number }> {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) =>
    typeof where === 'string' ? server.listen(where, resolve) : server.listen(where, resolve),
  )
  onTestFinished(() => void server.close())
  return { server, came: () => count }
}

/** Waits until something holds; the test's own time limit ends what never does. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Processes of this machine with a text in their command line. */
function processesWith(text: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })
}

function fileOfHost({ home }: TestSandbox): readonly string[] {
  return readdirSync(home, { recursive: true }).map(String).toSorted()
}

describe.skipIf(why !== null)(`a sandbox${reason}`, () => {
  test.each(starters)(`holds ${escapes.length} tries to get out of it, started by %s`, async (starter) => {
    const sandbox = await testSandbox(starter)
    const name = `openclaw-test-${process.pid}-${starter}`
    const port = await listening(0)
    const abstract = await listening(`\0${name}`)
    const file = await listening(join(sandbox.home, 'host.sock'))
    const shared = `/dev/shm/${name}`
    writeFileSync(shared, 'TOP-SECRET')
    onTestFinished(() => rmSync(shared, { force: true }))
    const victim = spawn('sleep', ['600'], { stdio: 'ignore' })
    onTestFinished(() => void victim.kill('SIGKILL'))
    const pattern = readFileSync('/proc/sys/kernel/core_pattern', 'utf8')
    const addresses = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address),
    )
    const env = {
      VICTIM: String(victim.pid),
      PORT: String((port.server.address() as AddressInfo).port),
      ADDRESSES: addresses.join(' '),
      SOCKET_NAME: name,
      SOCKET_FILE: join(sandbox.home, 'host.sock'),
    }
    const outside = fileOfHost(sandbox).filter((each) => !each.includes('workspace/'))
    const escaped: string[] = []
    let tried = 0
    for (let at = 0; at < escapes.length; at += 10) {
      const some = escapes.slice(at, at + 10)
      const script = some.map(
        ({ name: what, script: each }) => `echo; echo '== ${what.replaceAll("'", '')}'; ( ${each} )`,
      )
      const { output } = await sandbox.run(script.join('\n'), { env })
      tried += output.split('\n== ').length - 1
      escaped.push(...output.split('\n== ').filter((each) => /ESCAPED|TOP-SECRET/.test(each)))
    }
    expect(tried).toBe(escapes.length)
    expect(escaped).toEqual([])
    expect([port.came(), abstract.came(), file.came()]).toEqual([0, 0, 0])
    expect({ killed: victim.signalCode, ended: victim.exitCode }).toEqual({ killed: null, ended: null })
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(pattern)
    expect(fileOfHost(sandbox).filter((each) => !each.includes('workspace/'))).toEqual(outside)
    const left = readdirSync(sandbox.workspace).filter((each) => existsSync(join(sandbox.workspace, each)))
    const special = left.filter((each) => (statSync(join(sandbox.workspace, each)).mode & 0o6000) !== 0)
    expect(special).toEqual([])
  })

  test('can do what it is for: work in its workspace, compute, run programs', async () => {
    const { run, workspace } = await testSandbox('self')
    const script =
      'cat own.txt; echo more >new.txt; node -e "console.log(6 * 7)"; echo $((1 + 1)) | cat; pwd; id -un'
    expect(await run(script)).toEqual({ code: 0, output: `mine42\n2\n${workspace}\nsandbox\n` })
    expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe('more\n')
    expect(await run('exit 7')).toEqual({ code: 7, output: '' })
  })

  test('what this program has open does not go in', async () => {
    const { run, home } = await testSandbox('self')
    const handle = openSync(home, 'r')
    onTestFinished(() => closeSync(handle))
    const { output } = await run(
      'ls /proc/self/fd | tr "\\n" " "; cat /proc/self/fd/5/.ssh/id_ed25519 2>/dev/null',
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', handle],
      },
    )
    expect(output).toBe('0 1 2 3 ')
  })

  test('variables of a command do not act on what makes the sandbox', async () => {
    const { run, home, workspace } = await testSandbox('self')
    writeFileSync(join(workspace, 'out.sh'), `cat ${home}/.ssh/id_ed25519; touch ${home}/escaped`)
    const { output } = await run('true', {
      env: {
        BASH_ENV: join(workspace, 'out.sh'),
        ENV: join(workspace, 'out.sh'),
        LD_PRELOAD: '/nowhere.so',
        PATH: workspace,
      },
    })
    expect(output).not.toContain('TOP-SECRET')
    expect(existsSync(join(home, 'escaped'))).toBe(false)
  })

  test.each(starters)('a fork bomb ends with its sandbox, started by %s', async (starter) => {
    const { start } = await testSandbox(starter)
    const mark = `bomb-${process.pid}-${starter}`
    const child = start(
      `echo begun; exec perl -e '$0 = "${mark}"; while (1) { defined(fork) or select(undef, undef, undef, 0.05) }' ${mark}`,
    )
    child.stderr?.resume()
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    await until(() => processesWith(mark).length > 40)
    const most = processesWith(mark).length
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await until(() => processesWith(mark).length === 0)
    expect(most).toBeLessThanOrEqual(70)
  })

  test('memory, files and /tmp have limits', async () => {
    const { run, workspace } = await testSandbox('self')
    expect((await run(`perl -e '$x = "x" x (1 << 30); print "ESCAPED"'`)).output).not.toContain('ESCAPED')
    expect((await run('head -c 64M /dev/zero >big')).code).not.toBe(0)
    expect(statSync(join(workspace, 'big')).size).toBe(8 * 1024 * 1024)
    expect((await run('for i in 1 2 3 4; do head -c 4M /dev/zero >/tmp/$i || exit 9; done')).code).toBe(9)
    expect((await run('for i in 1 2 3 4; do head -c 4M /dev/zero >/dev/shm/$i || exit 9; done')).code).toBe(9)
  })

  test('nothing of a command outlives it', async () => {
    const { run, start } = await testSandbox('self')
    const mark = `daemon-${process.pid}`
    const daemon = `setsid sh -c 'trap "" HUP TERM; sleep 600; : ${mark}' >/dev/null 2>&1 &`
    expect((await run(`${daemon} (${daemon}) ; true`)).code).toBe(0)
    await until(() => processesWith(mark).length === 0)
    const child = start(`${daemon} echo begun; sleep 600; : ${mark}`)
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    expect(processesWith(mark).length).toBeGreaterThan(1)
    process.kill(-(child.pid ?? 0), 'SIGKILL')
    await until(() => processesWith(mark).length === 0)
  })

  test('the network is there where the config says so', async () => {
    const { run } = await testSandbox('self', { network: true })
    const port = await listening(0)
    const { code } = await run('exec 3<>/dev/tcp/127.0.0.1/$PORT && cat <&3', {
      env: { PORT: String((port.server.address() as AddressInfo).port) },
    })
    expect({ code, came: port.came() }).toEqual({ code: 0, came: 1 })
  })
})
