import { describe, expect, test } from 'vitest'
import { commandEnvironment, type EnvironmentInput } from '../../../../src/tools/commands/environment.ts'

const made = (input: Partial<EnvironmentInput>) =>
  commandEnvironment({
    env: {},
    vars: {},
    pathPrepend: [],
    homeDir: '/home/ada',
    given: {},
    pty: false,
    ...input,
  })

describe('the environment of a command', () => {
  test('has what programs need and nothing that could be a secret or load code', () => {
    const env = {
      PATH: '/usr/bin',
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      TZ: 'UTC',
      XDG_CONFIG_HOME: '/c',
      HTTPS_PROXY: 'http://proxy:3128',
      HTTP_PROXY: 'http://ada:secret@proxy:3128',
      OPENAI_API_KEY: 'k',
      GITHUB_TOKEN: 'k',
      AWS_SECRET_ACCESS_KEY: 'k',
      DB_PASSWORD: 'k',
      OPENCLAW_HOME: '/h',
      OPENCLAW_GATEWAY_TOKEN: 'k',
      LD_PRELOAD: '/evil.so',
      DYLD_INSERT_LIBRARIES: '/evil.so',
      NODE_OPTIONS: '--require /evil.js',
      BASH_ENV: '/evil.sh',
      ENV: '/evil.sh',
      'BASH_FUNC_ls%%': '() { evil; }',
      PYTHONSTARTUP: '/evil.py',
      GIT_SSH_COMMAND: 'evil',
      MY_OWN: 'x',
    }
    expect(made({ env })).toEqual({
      PATH: '/usr/bin',
      HOME: '/home/ada',
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      TZ: 'UTC',
      XDG_CONFIG_HOME: '/c',
      HTTPS_PROXY: 'http://proxy:3128',
      TERM: 'dumb',
    })
  })

  test('has the variables of the config, under the same rules', () => {
    const vars = { BUILD: 'debug', JOBS: 4, VERBOSE: true, OPENAI_API_KEY: 'k', LD_PRELOAD: '/x', PATH: '/x' }
    expect(made({ vars })).toMatchObject({ BUILD: 'debug', JOBS: '4', VERBOSE: 'true' })
    expect(Object.keys(made({ vars })).toSorted()).toEqual([
      'BUILD',
      'HOME',
      'JOBS',
      'PATH',
      'TERM',
      'VERBOSE',
    ])
  })

  test('has directories of the config in front of its PATH, absolute ones alone', () => {
    const { PATH } = made({ env: { PATH: '/usr/bin' }, pathPrepend: ['/opt/bin', 'bin', '/a/b'] })
    expect(PATH).toBe('/opt/bin:/a/b:/usr/bin')
    expect(made({}).PATH).toContain('/usr/bin')
  })

  test('takes what a call gives', () => {
    expect(made({ given: { CI: '1', GIT_AUTHOR_NAME: 'Ada', EMPTY: '' } })).toMatchObject({
      CI: '1',
      GIT_AUTHOR_NAME: 'Ada',
      EMPTY: '',
    })
    expect(made({ pty: true }).TERM).toBe('xterm-256color')
  })

  test.each([
    ['LD_PRELOAD', 'load other code'],
    ['ld_preload', 'load other code'],
    ['DYLD_INSERT_LIBRARIES', 'load other code'],
    ['NODE_OPTIONS', 'load other code'],
    ['BASH_ENV', 'load other code'],
    ['ENV', 'load other code'],
    ['GIT_SSH_COMMAND', 'load other code'],
    ['GIT_CONFIG_COUNT', 'load other code'],
    ['PYTHONPATH', 'load other code'],
    ['PERL5OPT', 'load other code'],
    ['PAGER', 'load other code'],
    ['PATH', 'pathPrepend'],
    ['Path', 'pathPrepend'],
    ['OPENCLAW_HOME', 'belongs to this program'],
    ['API_KEY', 'secret'],
    ['GITHUB_TOKEN', 'secret'],
    ['CLIENT_SECRET', 'secret'],
    ['BASH_FUNC_ls%%', 'no name'],
    ['A=B', 'no name'],
    ['', 'no name'],
    ['A\0B', 'no name'],
  ])('refuses %j from a call', (name, why) => {
    expect(() => made({ given: { [name]: 'x' } })).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID', message: expect.stringContaining(why) }),
    )
  })

  test('refuses a NUL in a value', () => {
    expect(() => made({ given: { A: 'x\0y' } })).toThrow('NUL')
  })
})
