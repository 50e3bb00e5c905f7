import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { getIn } from '../../src/config/path-value.ts'
import { toValue } from '../../src/config/scan.ts'
import { formatPath } from '../../src/kernel/path.ts'
import type { Path } from '../../src/kernel/path.ts'
import { law, random, runs, seedOf } from './random.ts'

/** Writes a random tree of config files that include each other, and gives the root's path. */
function writeTree(directory: string, next: () => number): string {
  let files = 0
  const int = (below: number): number => Math.floor(next() * below)
  const gap = (): string => ['', ' ', '\n', ' // note\n', '\r\n  ', '/* , */'][int(6)] ?? ''

  const directive = (depth: number): string => {
    const name = (): string => JSON.stringify(`./${write(depth + 1, true)}`)
    if (int(2) === 0) return `${gap()}$include:${gap()}${name()}`
    return `"$include":${gap()}[${gap()}${Array.from({ length: int(3) }, name).join(`,${gap()}`)}]`
  }
  const object = (depth: number, nesting: number): string => {
    const members = Array.from({ length: int(4) }, () => {
      const key = ['a', '"b"', "'c d'", 'e'][int(4)] ?? 'a'
      return `${gap()}${key}${gap()}:${gap()}${content(depth, nesting + 1)}`
    })
    if (depth < 3 && int(3) === 0) members.splice(int(members.length + 1), 0, directive(depth))
    return `{${members.join(',')}${gap()}${members.length > 0 && int(2) === 0 ? ',' : ''}}`
  }
  const content = (depth: number, nesting: number): string => {
    const kind = nesting > 3 ? 2 + int(3) : int(5)
    if (kind === 0) return object(depth, nesting)
    if (kind === 1)
      return `[${Array.from({ length: int(4) }, () => gap() + content(depth, nesting + 1)).join(',')}]`
    return [`"s${int(99)}"`, String(int(99)), 'null'][kind - 2] ?? 'true'
  }
  const write = (depth: number, objectsOnly: boolean): string => {
    files += 1
    const name = `f${files}.json5`
    writeFileSync(
      join(directory, name),
      `${gap()}${objectsOnly ? object(depth, 0) : content(depth, 0)}${gap()}`,
    )
    return name
  }
  return join(directory, write(0, true))
}

function pathsOf(item: unknown, at: Path = []): Path[] {
  if (typeof item !== 'object' || item === null) return [at]
  const entries: [string | number, unknown][] = Array.isArray(item)
    ? [...item.entries()]
    : Object.entries(item)
  return [at, ...entries.flatMap(([key, entry]) => pathsOf(entry, [...at, key]))]
}

test('every value of a merged config is found in the file that holds it', async () => {
  const seed = seedOf('config-origin')
  const next = random(seed)
  const directory = mkdtempSync(join(tmpdir(), 'openclaw-origin-'))
  let checked = 0
  let fromIncludes = 0
  let merged = 0
  try {
    for (let run = 0; run < runs(2000); run++) {
      const file = writeTree(directory, next)
      const loaded = await loadConfig({ file, env: { HOME: directory }, cwd: directory })
      for (const path of pathsOf(loaded.config)) {
        const where = `seed ${seed}, run ${run}, ${formatPath(path)}`
        const owner = loaded.ownerOf(path)
        const location = loaded.locate(path)
        if (owner === null || location === null) throw new Error(`${where}: no owner`)
        const value = getIn(loaded.config, path)
        const own = toValue(owner.node)
        const scalar = typeof value !== 'object' || value === null
        law(scalar ? own === value : Array.isArray(own) === Array.isArray(value), `${where}: value`)
        law(isDeepStrictEqual(getIn(owner.document.value, owner.path), own), `${where}: path in the file`)
        law(location.file === owner.file && location.path === formatPath(path), `${where}: location`)
        law((owner.via.at(-1)?.target ?? file) === owner.file, `${where}: include chain`)
        const line = owner.document.text.split(/\r\n|\n|\r/)[location.line - 1] ?? ''
        const first = owner.document.text.charAt(owner.node.start)
        law(line.charAt(location.column - 1) === first, `${where}: line and column`)
        checked += 1
        if (owner.via.length > 0) fromIncludes += 1
        if (owner.parts.length > 1) merged += 1
      }
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
  expect(fromIncludes / checked).toBeGreaterThan(0.05)
  expect(merged).toBeGreaterThan(10)
})
