import { defineConfig } from 'vitest/config'

/** Tests run the built code in dist/, so that worker threads and the addon load exactly as shipped. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most servers of tests live too short for another encoder beside them, which would change answers meanwhile.
    env: { SYNOPTIC_SEARCH_ENCODER: 'builtin/static-en' },
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // Vitest would leave a processor free, which is half of a machine that has two; most tests wait for a
    // process of their own, and each file has folders and ports of its own.
    maxWorkers: '100%',
    // Of what hangs, and of nothing else: a machine may be busy, or stand still for a while.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    server: { deps: { external: [/\/dist\//, /\/build\//] } },
  },
})
