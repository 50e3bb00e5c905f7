import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Config, McpServerConfig } from '../../src/config/types.ts'
import { discoverServers, type Discovery, type DiscoverOptions } from '../../src/mcp/discovery.ts'
import { tempDir } from './run-cli.ts'

/** Path of the server that misbehaves as it is told. */
export const faultyServer = fileURLToPath(new URL('../../fixtures/mcp-servers/faulty.mjs', import.meta.url))

/** A server entry for the faulty server over stdio; faults as its usage tells, separated by blanks. */
export function faulty(faults = '', more: McpServerConfig = {}): McpServerConfig {
  return { command: process.execPath, args: [faultyServer, ...words(faults)], ...more }
}

function words(faults: string): string[] {
  return faults.split(' ').filter((word) => word !== '')
}

/** Starts the faulty server over HTTP or SSE for the time of the test, and returns its address. */
export async function startFaulty(faults: string): Promise<string> {
  const child = spawn(process.execPath, [faultyServer, ...words(faults)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [address] = await once(child.stdout, 'data')
  return String(address).trim()
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The options of a discovery that dials, in a state directory of its own; the faults of the machine are kept out. */
export async function dialOptions(
  servers: Readonly<Record<string, McpServerConfig>>,
  more: Partial<DiscoverOptions> = {},
): Promise<DiscoverOptions> {
  const config: Config = { mcp: { servers } }
  const stateDir = more.stateDir ?? (await tempDir())
  const { PATH, HOME } = process.env
  return {
    config,
    stateDir,
    env: { PATH, HOME },
    cwd: stateDir,
    home: stateDir,
    clock: Date.now,
    dial: true,
    ...more,
  }
}

/** What discovery found, one line a server: status, tools, the cause or what was odd. */
export function reportLines({ reports }: Discovery): string {
  return reports
    .map(({ name, status, toolCount, cause, remarks }) => {
      const count = status === 'connected' ? ` ${toolCount} tools` : ''
      const told = [
        cause === null ? '' : ` ${cause.kind}: ${cause.message}`,
        ...remarks.map((text) => `; ${text}`),
      ]
      return `${name} → ${status}${count}${told.join('')}`
    })
    .join('\n')
}

/** Dials servers and tells how each was found. */
export async function dialLines(servers: Readonly<Record<string, McpServerConfig>>): Promise<string> {
  return reportLines(await discoverServers(await dialOptions(servers)))
}

/** Process ids in a file that the faulty server wrote, of processes that still live. */
export async function livingIn(file: string): Promise<readonly number[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(Number)
    .filter(isAlive)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // What nobody has asked about since its end still has its id.
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
