/** The native tests: built with the core that the addon has, or apart where there is no such build; run by ctest. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { runStage } from './stages.js'

/** The folder of the addon's build has the core compiled already. */
const build = existsSync(join('build', 'CMakeCache.txt')) ? 'build' : 'build-native'

/** @returns how many passed, failed and were skipped */
export async function runNativeTests(scratch, { all }) {
  const jobs = String(availableParallelism())
  const settings = ['-DSYNOPTIC_TESTS=ON', ...compilerCache()]
  // Clones in other folders compile the same files.
  const env = { CCACHE_BASEDIR: process.cwd(), CCACHE_NOHASHDIR: '1' }
  const built =
    (await runStage('native configure', 'cmake', ['-S', '.', '-B', build, ...settings])) &&
    (await runStage(
      'native build',
      'cmake',
      ['--build', build, '--target', 'native_tests', '-j', jobs],
      { env },
    ))
  const report = join(scratch, 'ctest.xml')
  const words = ['--test-dir', build, '--output-on-failure', '--output-junit', report]
  const sample = all ? {} : { SYNOPTIC_TEST_SAMPLE: '1' }
  if (built) await runStage('native tests', 'ctest', words, { env: sample })
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 }
  const suite = /<testsuite[^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? ''
  const count = (name) => Number(new RegExp(`${name}="(\\d+)"`).exec(suite)?.[1] ?? 0)
  const failed = count('failures')
  const skipped = count('skipped') + count('disabled')
  return { passed: count('tests') - failed - skipped, failed, skipped }
}

function compilerCache() {
  const { status } = spawnSync('ccache', ['--version'])
  return status === 0 ? ['-DCMAKE_CXX_COMPILER_LAUNCHER=ccache'] : []
}
