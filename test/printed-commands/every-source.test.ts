/** Every source file that prints a command has a test that runs it: one with a comment `Covers`, or another that is named here. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hintsOfSources } from '../helpers/source-hints.js'

const tests = import.meta.dirname
const covered = new Set(
  readdirSync(tests).flatMap((name) =>
    [...readFileSync(join(tests, name), 'utf8').matchAll(/^ +\/\/ Covers (.+)\.$/gm)].flatMap(
      ([, files = '']) => files.split(', '),
    ),
  ),
)

describe('no source file prints a command that is not run here', () => {
  /** With the reason. */
  const elsewhere: Readonly<Record<string, string>> = {
    'cli/models-quantize.ts':
      'as models pull; test/model-tools/python.test.ts runs it where Python is',
    'models/tools/needed-files.ts': 'models export needs Python: test/model-tools/python.test.ts',
    'base/errors/DimensionMismatchError': 'a race of builds: test/search/service.test.ts',
    'base/errors/TextVectorsError':
      'no model that gives NaN can be installed: test/embed/build.test.ts',
    'server/http/routes/feedback.ts': 'the documentation of a route',
    'server/http/routes/map.ts': 'the documentation of a route',
    'server/http/routes/writes.ts': 'the documentation of a route',
    'server/http/openapi/problems.ts': 'the documentation of problems',
    'base/errors/MapMissingError': 'test/map/maps.test.ts makes the map that is missing',
    'base/errors/IndexMismatchError': 'needs OpenSearch: test/opensearch/serving.ts',
    'search/composition/choose-encoder.ts':
      'test/model-tools/pull.test.ts pulls the model, and test/serve/languages.test.ts embeds with it',
    'cli/ranker-fit.ts': 'needs 300 queries: test/eval/queries.test.ts',
    'cli/cuda-report.ts': 'fetches from an index: test/model-tools/cuda-install.test.ts',
    'native/addon/addon.ts': 'compiles for minutes: test/library/npm.test.ts',
    'base/util/sqlite.ts':
      'compiles for minutes: test/util/sqlite.test.ts and test/library/npm.test.ts',
  }

  it('but for a few', () => {
    const files = new Set(
      hintsOfSources()
        .filter(({ isText }) => !isText)
        .map(({ file }) => file),
    )
    expect([...files].filter((file) => !covered.has(file)).sort()).toEqual(
      Object.keys(elsewhere).sort(),
    )
  })
})
