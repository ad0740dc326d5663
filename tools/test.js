/**
 * `npm test`: lint beside format and layers, types, native tests, TypeScript tests; every step runs even
 * when an earlier one failed. The last line is `N passed, N failed`: tests of both runners, and a
 * failed check counts as one failed test. `npm run check` runs the checks alone.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describeSkipped } from './skipped.js'

const bin = (name) => join('node_modules', '.bin', name)
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-test-'))
/** On Windows, what npm puts into .bin are scripts for cmd. */
const shell = process.platform === 'win32'
const total = { passed: 0, failed: 0, skipped: 0 }
/** How many tests each file skipped. */
const skippedOf = {}

try {
  // The linter takes as long as all others together, and most machines have two processors.
  await Promise.all([check('lint', bin('eslint'), ['.', '--max-warnings', '0']), quickChecks()])
  await check('types', bin('tsc'), ['-b'])
  if (process.argv[2] !== 'check') {
    nativeTests()
    typescriptTests()
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
if (total.skipped > 0) {
  console.log(`\n${total.skipped} skipped`)
  for (const line of describeSkipped(skippedOf)) console.log(line)
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0

async function quickChecks() {
  await check('format', bin('prettier'), ['--check', '.'])
  await check('format C++', bin('clang-format'), ['--dry-run', '-Werror', ...nativeSources()])
  await check('layers', bin('depcruise'), ['src', '--config', '.dependency-cruiser.mjs'])
  await check('layers in docs/design.md', process.execPath, ['tools/layers.js'])
  await check('dead code', bin('knip'), ['--no-progress'])
  await check('licences', process.execPath, ['tools/licences.js', '--check'])
  await check('native layers', process.execPath, ['tools/native-layers.js'])
}

async function check(name, command, args) {
  const ok = await runAside(name, command, args)
  if (process.argv[2] === 'check') total[ok ? 'passed' : 'failed'] += 1
  else if (!ok) total.failed += 1
}

/** Beside others: what it says is printed when it has ended. */
function runAside(name, command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { shell })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (said += text))
    child.on('error', ({ message }) => (said += `${command}: ${message}\n`))
    child.on('close', (status, signal) => {
      if (signal) said += `${command}: ended by ${signal}\n`
      console.log(`\n== ${name}\n${said.trimEnd()}`)
      resolve(status === 0)
    })
  })
}

function nativeSources() {
  const listed = spawnSync('git', ['ls-files', 'native/**/*.h', 'native/**/*.cpp'], {
    encoding: 'utf8',
  })
  return listed.stdout.split('\n').filter((file) => file !== '' && existsSync(file))
}

/** The native tests are built apart from the addon, without Node's headers. */
function nativeTests() {
  const build = 'build-native'
  const jobs = String(availableParallelism())
  const built =
    run('native configure', 'cmake', ['-S', '.', '-B', build, '-DSYNOPTIC_TESTS=ON']) &&
    run('native build', 'cmake', ['--build', build, '-j', jobs])
  if (!built) return void (total.failed += 1)
  const report = join(scratch, 'ctest.xml')
  run('native tests', 'ctest', [
    '--test-dir',
    build,
    '--output-on-failure',
    '--output-junit',
    report,
  ])
  if (!existsSync(report)) return void (total.failed += 1)
  const suite = /<testsuite[^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? ''
  const count = (name) => Number(new RegExp(`${name}="(\\d+)"`).exec(suite)?.[1] ?? 0)
  const failed = count('failures')
  const notRun = count('skipped') + count('disabled')
  skippedOf['native tests'] = notRun
  add(count('tests') - failed - notRun, failed, notRun)
}

function typescriptTests() {
  const first = runVitest('tests', [])
  if (first === undefined) return void (total.failed += 1)
  const failedFiles = first.testResults.filter(hasFailed).map(({ name }) => name)
  const again = worthAnotherRun(failedFiles) ? rerunAlone(failedFiles) : undefined
  const results = first.testResults.map(
    (file) => again?.find(({ name }) => name === file.name) ?? file,
  )
  for (const { name, assertionResults } of results) {
    skippedOf[relative(process.cwd(), name)] = countOf(assertionResults, 'skipped', 'pending')
  }
  const all = results.flatMap(({ assertionResults }) => assertionResults)
  add(countOf(all, 'passed'), countOf(all, 'failed'), countOf(all, 'skipped', 'pending'))
  // A suite that does not even load fails the run without failing a test.
  const broken = results.filter(
    (file) => hasFailed(file) && countOf(file.assertionResults, 'failed') === 0,
  )
  total.failed += broken.length
  if (!first.ok && failedFiles.length === 0) total.failed += 1
}

/**
 * Some tests start servers and processes and wait for them. Where a busy machine failed a few files, they
 * run once more, one after the other; what passes then counts, and is named as unsteady.
 */
function rerunAlone(files) {
  const paths = files.map((name) => relative(process.cwd(), name))
  const again = runVitest('failed files, once more', ['--no-file-parallelism', ...paths])
  const passed = again?.testResults.filter((file) => !hasFailed(file)) ?? []
  if (passed.length > 0) {
    console.log('\nUnsteady: failed beside other tests, passed alone')
    for (const { name } of passed) console.log(`  ${relative(process.cwd(), name)}`)
  }
  return again?.testResults
}

/** More is no matter of a busy machine. */
function worthAnotherRun(files) {
  return files.length > 0 && files.length <= 8
}

function runVitest(name, words) {
  const report = join(scratch, 'vitest.json')
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const ok = run(name, bin('vitest'), ['run', ...reporters, ...words])
  return existsSync(report) ? { ok, ...JSON.parse(readFileSync(report, 'utf8')) } : undefined
}

function hasFailed({ status }) {
  return status === 'failed'
}

function countOf(tests, ...statuses) {
  return tests.filter(({ status }) => statuses.includes(status)).length
}

function add(passed, failed, skipped) {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

function run(name, command, args) {
  console.log(`\n== ${name}`)
  const { status, signal, error } = spawnSync(command, args, { stdio: 'inherit', shell })
  if (error) console.error(`${command}: ${error.message}`)
  if (signal) console.error(`${command}: ended by ${signal}`)
  return status === 0
}
