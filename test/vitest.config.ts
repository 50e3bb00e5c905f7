import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const report = process.env.OPENCLAW_TEST_REPORT

const shared = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  disableConsoleIntercept: true,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes in a moment, but not on a machine that is busy with other things.
  expect: { poll: { timeout: 20_000 } },
}

export default defineConfig({
  test: {
    root: shared.root,
    // Most of them wait for programs, so that one file at a time would leave a core idle.
    maxWorkers: 2,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      { test: { ...shared, name: 'sources', include: ['test/{unit,property}/**/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'program',
          include: ['test/{cli,fault,pins}/**/*.test.ts'],
          globalSetup: ['test/helpers/build-once.ts'],
        },
      },
    ],
  },
})
