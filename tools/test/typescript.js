/** The TypeScript tests of one project of vitest.config.js, counted file by file. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runStage } from './stages.js'

const vitest = join('node_modules', '.bin', 'vitest')

/** @returns what reporter.js says of each file; undefined where Vitest did not come that far */
export async function runTests(project, { all, scratch }) {
  const first = await runVitest(`${project} tests`, project, { all, scratch })
  if (first === undefined) return undefined
  const failed = first.files.filter(hasFailed).map(({ file }) => file)
  const again = worthAnotherRun(failed) ? await runAlone(failed, project, { all, scratch }) : []
  return {
    ...first,
    files: first.files.map((file) => again.find((other) => other.file === file.file) ?? file),
  }
}

/**
 * Some tests start servers and processes and wait for them. Where a busy machine failed a few files, they
 * run once more, one after the other; what passes then counts, and is named as unsteady.
 */
async function runAlone(files, project, settings) {
  const name = `failed ${project} tests, once more`
  const again = await runVitest(name, project, settings, ['--no-file-parallelism', ...files])
  const passed = again?.files.filter((file) => !hasFailed(file)) ?? []
  if (passed.length > 0) {
    console.log('\nUnsteady: failed with other tests, passed alone')
    for (const { file } of passed) console.log(`  ${file}`)
  }
  return again?.files ?? []
}

/** More is no matter of a busy machine. */
const worthAnotherRun = (files) => files.length > 0 && files.length <= 8

async function runVitest(name, project, { all, scratch }, words = []) {
  const report = join(scratch, `${project}.json`)
  rmSync(report, { force: true })
  const env = { SYNOPTIC_TEST_REPORT: report, ...(all && { SYNOPTIC_TEST_ALL: '1' }) }
  const reporters = ['--reporter=default', '--reporter=./tools/test/reporter.js']
  const tags = all ? [] : ['--tags-filter=!nightly']
  const args = ['run', '--project', project, ...reporters, ...tags, ...words]
  const ok = await runStage(name, vitest, args, { env, live: project === 'processes' })
  return existsSync(report) ? { ok, ...JSON.parse(readFileSync(report, 'utf8')) } : undefined
}

const hasFailed = ({ failed }) => failed > 0
