/*
 * Adds jobs to a store one after the other and says on stdout which are there, until it is killed.
 */
import { JobStore } from '../../src/tools/automation/store.ts'

const store = new JobStore(process.argv[2] ?? '', () => {})
const start = Number(process.argv[3])

for (let at = start; ; at += 1) {
  await store.update((jobs) => [
    ...jobs,
    {
      id: `j${at}`,
      name: 'x'.repeat(200),
      agentId: 'main',
      sessionKey: 'agent:main:main',
      enabled: true,
      schedule: { kind: 'at', atMs: at },
      payload: { kind: 'agentTurn', message: 'go' },
      deleteAfterRun: true,
      owner: true,
      createdAtMs: 0,
      updatedAtMs: 0,
      state: {},
    },
  ])
  process.stdout.write(`${at}\n`)
}
