/**
 * `npm test`: checks, native tests and TypeScript tests, as far as they can at the same time; every stage runs
 * even when an earlier one failed. The last line is `N passed, N failed`: tests of all runners, and a failed
 * check counts as one failed test. `npm run check` runs the checks alone; `npm run test:all` also runs the
 * tests tagged `nightly`, which `npm test` leaves out and lists.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile, lint, otherChecks } from './test/checks.js'
import { runNativeTests } from './test/native.js'
import { stages } from './test/stages.js'
import { printSummary } from './test/summary.js'
import { runTests } from './test/typescript.js'

const mode = process.argv[2]
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-test-'))
const total = { passed: 0, failed: 0 }
const files = []

try {
  if (mode === 'check') {
    await Promise.all([check(lint), inOrder(otherChecks)])
  } else {
    await check(compile)
    await Promise.all([
      check(lint),
      inOrder(otherChecks).then(nativeTests),
      // Those that start processes come last, when little else runs.
      typescriptTests('pure').then(() => typescriptTests('processes')),
    ])
    printSummary({ stages, files, failed: total.failed })
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function inOrder(checks) {
  for (const one of checks) await check(one)
}

async function check(one) {
  const ok = await one()
  if (mode === 'check') total[ok ? 'passed' : 'failed'] += 1
  else if (!ok) total.failed += 1
}

async function nativeTests() {
  const { passed, failed, skipped } = await runNativeTests(scratch, { all: mode === 'all' })
  files.push({ file: 'native tests', seconds: 0, skipped, leftOut: 0 })
  add({ passed, failed })
}

async function typescriptTests(project) {
  const report = await runTests(project, { all: mode === 'all', scratch })
  if (report === undefined) return void (total.failed += 1)
  files.push(...report.files)
  for (const file of report.files) add(file)
  const hasFailed = report.files.some(({ failed }) => failed > 0)
  // An error outside of any test.
  if (!hasFailed && (report.unhandledErrors > 0 || report.files.length === 0)) total.failed += 1
}

function add({ passed, failed }) {
  total.passed += passed
  total.failed += failed
}
