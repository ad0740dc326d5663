import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import LongestFirst from './tools/test/longest-first.js'
import { projectsOfTests } from './tools/test/projects.js'

const { pure, processes } = projectsOfTests()

/** Tests run the built code in dist/, so that worker threads and the addon load exactly as shipped. */
export default defineConfig({
  test: {
    // Most servers of tests live too short for another encoder beside them, which would change answers meanwhile.
    env: { SYNOPTIC_SEARCH_ENCODER: 'builtin/static-en' },
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    // Vitest would leave a processor free, which is half of a machine that has two.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    // Of what hangs, and of nothing else: a machine may be busy, or stand still for a while.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    server: { deps: { external: [/\/dist\//, /\/build\//] } },
    tags: [
      { name: 'nightly', description: '`npm test` leaves it out, `npm run test:all` runs it' },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: pure,
          pool: 'threads',
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: processes,
          pool: 'forks',
          // One of them usually waits: for a process that starts, or for a page.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
