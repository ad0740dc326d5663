import { defineConfig } from 'vitest/config'

/** Tests run the built code in dist/, so that worker threads and the addon load exactly as shipped. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    server: { deps: { external: [/\/dist\//, /\/build\//] } },
  },
})
