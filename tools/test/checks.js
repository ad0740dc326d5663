/** What `npm run check` looks at without running the code. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runStage } from './stages.js'

const bin = (name) => join('node_modules', '.bin', name)

/** One pass over the types of all projects checks them and the rules that need them. Takes as long as all others. */
export const lint = () =>
  runStage('lint and types', bin('oxlint'), [
    '--deny-warnings',
    '--report-unused-disable-directives',
  ])

export const otherChecks = [
  () => runStage('format', bin('oxfmt'), ['--check', '.']),
  () => runStage('format C++', bin('clang-format'), ['--dry-run', '-Werror', ...nativeSources()]),
  () => runStage('layers', bin('depcruise'), ['src', '--config', '.dependency-cruiser.mjs']),
  () => runStage('layers in docs/design.md', process.execPath, ['tools/layers.js']),
  () => runStage('dead code', bin('knip'), ['--no-progress']),
  () => runStage('licences', process.execPath, ['tools/licences.js', '--check']),
  () => runStage('words', process.execPath, ['tools/words/check.js']),
  () => runStage('native layers', process.execPath, ['tools/native-layers.js']),
  () => runStage('loops over rows', process.execPath, ['tools/row-loops.js']),
]

/** What the tests import; done before everything else, since the tests run at the same time as the checks. */
export const compile = async () =>
  (await runStage('compile', bin('tsc'), ['-b', 'src', 'clients/typescript'])) &&
  (await runStage('bundle', process.execPath, ['tools/bundle.js']))

function nativeSources() {
  const listed = spawnSync('git', ['ls-files', 'native/**/*.h', 'native/**/*.cpp'], {
    encoding: 'utf8',
  })
  return listed.stdout.split('\n').filter((file) => file !== '' && existsSync(file))
}
