import { describe, expect, test } from 'vitest'
import { dockerized, type DockerPlan } from '../../../../src/tools/sandbox/docker.ts'
import { sandboxEnvironment } from '../../../../src/tools/sandbox/environment.ts'
import { hostOf, settingsOf } from '../../../helpers/sandbox.ts'

const host = {
  PATH: '/usr/bin',
  HOME: '/home/u',
  DOCKER_HOST: 'unix:///run/d.sock',
  API_KEY: 'secret',
  LANG: 'C.UTF-8',
}
const command = {
  file: 'sh',
  args: ['-c', 'echo "$A"'],
  cwd: '/work',
  env: { ...host, A: '1 2', LD_PRELOAD: '/work/evil.so' },
}

function plan(docker: object = {}): DockerPlan {
  return {
    program: '/usr/bin/docker',
    image: 'team/sandbox:1',
    name: 'main-1',
    uid: 1000,
    gid: 1000,
    roots: [
      { dir: '/work', writable: true },
      { dir: '/data,"x', writable: false },
    ],
    settings: settingsOf({ backend: 'docker', docker }),
    guarded: hostOf('/home/u'),
  }
}

describe('a command in a container', () => {
  test('has nothing it was not given', () => {
    const { file, args, cwd, env } = dockerized(plan({ env: { GH_TOKEN: 't', N: 1, o: {} } }), command, host)
    expect({ file, cwd, env }).toEqual({
      file: '/usr/bin/docker',
      cwd: '/',
      env: { PATH: '/usr/bin', HOME: '/home/u', DOCKER_HOST: 'unix:///run/d.sock', GH_TOKEN: 't', N: '1' },
    })
    expect(args.join('\n')).toMatchInlineSnapshot(`
      "run
      --rm
      --init
      --interactive
      --pull
      never
      --label
      openclaw.sandbox=main-1
      --hostname
      sandbox
      --network
      none
      --ipc
      private
      --cap-drop
      ALL
      --security-opt
      no-new-privileges
      --read-only
      --tmpfs
      /tmp:rw,nosuid,nodev,mode=1777,size=256m
      --pids-limit
      512
      --ulimit
      core=0
      --ulimit
      fsize=1073741824
      --memory
      2048m
      --memory-swap
      2048m
      --user
      1000:1000
      --mount
      type=bind,source=/work,target=/work
      --mount
      type=bind,"source=/data,""x","target=/data,""x",readonly
      --env
      HOME=/tmp
      --env
      GH_TOKEN
      --env
      N
      --env
      LANG=C.UTF-8
      --env
      A=1 2
      --env
      LD_PRELOAD=/work/evil.so
      --env
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
      --workdir
      /work
      --entrypoint
      sh
      team/sandbox:1
      -c
      echo "$A""
    `)
  })

  test.each([
    [{ network: 'host' }, 'cannot be in the network "host"'],
    [{ network: 'container:db' }, 'cannot be in the network "container:db"'],
    [{ binds: ['/var/run/docker.sock:/var/run/docker.sock'] }, 'cannot be in the sandbox'],
    [{ binds: ['/srv/x.sock:/x.sock'] }, 'it is a socket'],
    [{ binds: ['/home/u:/home/u:ro'] }, 'contains the home directory'],
    [{ binds: ['/etc:/etc:ro'] }, 'is a part of the system'],
    [{ binds: ['relative:/x'] }, 'write it as /host:/container'],
    [{ binds: ['/srv:/srv:exec'] }, 'write it as /host:/container'],
  ])('refuses %o', (docker, words) => {
    expect(() => dockerized(plan(docker), command, host)).toThrow(words)
  })

  test('a network of its own and further directories', () => {
    const { args } = dockerized(
      plan({ network: 'team-net', binds: ['/srv/data:/data:ro'], user: '7:7' }),
      command,
      host,
    )
    expect(args).toEqual(
      expect.arrayContaining(['team-net', '7:7', 'type=bind,source=/srv/data,target=/data,readonly']),
    )
    expect(args).not.toContain('none')
  })
})

describe('variables in a sandbox', () => {
  const own = { HOME: '/tmp/home', PATH: '/bin' }
  test('what was handed down stays outside, what was given goes in', () => {
    expect(sandboxEnvironment(command.env, host, own)).toEqual({
      HOME: '/tmp/home',
      PATH: '/bin',
      LANG: 'C.UTF-8',
      A: '1 2',
      LD_PRELOAD: '/work/evil.so',
    })
  })

  test.each([
    [undefined, '/bin'],
    ['/usr/bin', '/bin'],
    ['/work/tools:/usr/bin', '/work/tools:/bin'],
    ['/only', '/only'],
  ])('the path %s', (path, expected) => {
    const env = path === undefined ? {} : { PATH: path }
    expect(sandboxEnvironment(env, host, own)['PATH']).toBe(expected)
  })
})
