import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const report = process.env.OPENCLAW_TEST_REPORT

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/{unit,cli,property,fault,pins}/**/*.test.ts'],
    globalSetup: ['test/helpers/build-once.ts'],
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    disableConsoleIntercept: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
