import { defineConfig } from 'vitest/config'

/** Tests run the built code in dist/, so that worker threads and the addon load exactly as shipped. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Of what hangs, and of nothing else: a machine may be busy, or stand still for a while.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    server: { deps: { external: [/\/dist\//, /\/build\//] } },
  },
})
