import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../../../src/tool-search/code/limits.ts'
import { refuse } from '../../../../src/tool-search/code/snippet.ts'

describe('shell text is refused before a child is used up', () => {
  test.each([
    ['ls -la /workspace', 'ls -la /workspace'],
    ['ls', 'ls'],
    ['  pwd  \n', 'pwd'],
    ['cd /tmp && npm install', 'cd /tmp && npm install'],
    ['cat package.json | grep name', 'cat package.json | grep name'],
    ['# list\n\nls | wc -l', 'ls | wc -l'],
    ['// list\ngit status', 'git status'],
    ['#!/bin/bash\nset -e\nrm -rf x', '#!/bin/bash'],
    ['#!/usr/bin/env zsh\nls', '#!/usr/bin/env zsh'],
    ['echo "hello" > out.txt', 'echo "hello" > out.txt'],
    ['curl -s https://example.com', 'curl -s https://example.com'],
    ['grep -rn TODO src/', 'grep -rn TODO src/'],
    ['python3 script.py --flag', 'python3 script.py --flag'],
    ['node -e "console.log(1)"', 'node -e "console.log(1)"'],
    ['mkdir a/b', 'mkdir a/b'],
    ['export FOO=1', 'export FOO=1'],
    ['dir C:\\Users', 'dir C:\\Users'],
    ['type file.txt', 'type file.txt'],
    ['Get-ChildItem -Path .', 'Get-ChildItem -Path .'],
    ['Remove-Item x -Recurse', 'Remove-Item x -Recurse'],
    ['apt-get install -y jq', 'apt-get install -y jq'],
    [`ls ${'a'.repeat(100)}`, `ls ${'a'.repeat(57)}…`],
  ])('%j', (code, shown) => {
    expect(refuse(code, defaultLimits)).toEqual({
      code: 'invalid_input',
      message: `this looks like a shell command (${shown}), not like JavaScript; write JavaScript, for example: return await openclaw.tools.call(id, args)`,
    })
  })

  test.each([
    'const ls = 1; ls - 1',
    'pwd = 3; pwd',
    'ls = [1]; return ls',
    'ls - 1\nvar ls = 3',
    'find(1)\nfunction find(x) { return x }',
    'find - 1\nvar { find } = openclaw',
    'test.a.b = 1',
    'echo`x`',
    'date => date',
    'sort: for (;;) break sort',
    'id in openclaw',
    'node instanceof Object',
    'head++',
    'return "ls -la"',
    '// ls -la\nreturn 1',
    'const cat = "cat"\nreturn cat',
    'await openclaw.tools.call("exec", { command: "ls -la" })',
    'openclaw.tools.search("git status")',
    'Set.prototype',
    'new Set([1])',
    'Get - Child\nvar Get, Child',
    'let x\nls',
  ])('%j is JavaScript', (code) => {
    expect(refuse(code, defaultLimits)).toBe(null)
  })
})

test('hostile text costs no more than its length', () => {
  for (const code of [
    `ls ${'let '.repeat(250_000)}`,
    `ls ${'\n'.repeat(1_000_000)}`,
    `ls ${' '.repeat(1_000_000)}x`,
  ]) {
    const startedAt = performance.now()
    refuse(code, defaultLimits)
    expect(performance.now() - startedAt).toBeLessThan(2000)
  }
})

test('too long a snippet is refused', () => {
  expect(refuse('x'.repeat(1024 * 1024), defaultLimits)).toBe(null)
  expect(refuse('x'.repeat(3 * 1024 * 1024), defaultLimits)).toEqual({
    code: 'invalid_input',
    message: 'the snippet has 3 MiB; at most 1 MiB are run',
  })
})
