/** Runs files of tests in this process and prints what failed; the last line counts, as that of `npm test` does. */
import { pathToFileURL } from 'node:url'
import { startTests } from '@vitest/runner'

// Its own program may not start without the emulation that it runs in.
process.execPath = process.env.SYNOPTIC_TRY_NODE ?? process.execPath

const config = {
  root: process.cwd(),
  setupFiles: [],
  passWithNoTests: false,
  allowOnly: false,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxConcurrency: 1,
  retry: 0,
  tags: [],
  sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
}
const runner = {
  config,
  importFile: (path) => import(pathToFileURL(path).href),
}
const count = { passed: 0, failed: 0, skipped: 0 }
const files = await startTests(
  process.argv.slice(2).map((filepath) => ({ filepath })),
  runner,
)
for (const file of files) report(file, [file.name])
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
process.exit(count.failed > 0 || count.passed + count.skipped === 0 ? 1 : 0)

function report(task, names) {
  const errors = task.result?.errors ?? []
  for (const { message, stack } of errors)
    console.log(`FAILED ${names.join(' > ')}\n${stack ?? message}`)
  if (task.type !== 'test') {
    // A file that does not load, or a hook that fails.
    count.failed += errors.length
    for (const child of task.tasks) report(child, [...names, child.name])
  } else if (task.result?.state === 'pass') count.passed += 1
  else if (task.result?.state === 'fail') count.failed += 1
  else count.skipped += 1
}
