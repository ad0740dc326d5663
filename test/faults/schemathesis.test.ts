/**
 * Requests that Schemathesis makes of the OpenAPI document: statuses, headers, types and bodies of all
 * responses are as documented. SYNOPTIC_FUZZ_SEED says which requests.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { logOf, openScene } from './scene.js'

/** SYNOPTIC_TEST_SCHEMATHESIS, else the first that PATH holds. */
function findSchemathesis(): string | undefined {
  const { SYNOPTIC_TEST_SCHEMATHESIS: named = '', PATH = '' } = process.env
  const found = PATH.split(delimiter).map((folder) => join(folder, 'schemathesis'))
  return (named === '' ? found : [named]).find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

const program = findSchemathesis()
if (program === undefined)
  console.warn('skipped: there is no schemathesis (pip install schemathesis)')

/**
 * Left out are checks of what is documented in words:
 * some members exclude each other, and a model that is not installed is an error of the server.
 */
const checks = [
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
]

describe.skipIf(program === undefined)('responses are as the OpenAPI document says', () => {
  it('to one request of each kind', () => expectAsDocumented(1), 300_000)
  it('to many', { tags: ['nightly'], timeout: 1_800_000 }, () => expectAsDocumented(40))
})

async function expectAsDocumented(examples: number): Promise<void> {
  const server = await openScene()
  const words = ['run', `${server.origin}/openapi.json`, '--no-color', '--continue-on-failure']
  const seed = process.env.SYNOPTIC_FUZZ_SEED ?? '1'
  const options = ['--checks', checks.join(','), '--max-examples', String(examples), '--seed', seed]
  const run = promisify(execFile)(program ?? '', [...words, ...options], { cwd: server.folder })
  const report = await run.then(
    ({ stdout }) => stdout,
    (error: unknown) => `failed: ${(error as { stdout: string }).stdout}`,
  )
  expect(report).not.toMatch(/^failed/)
  expect(report).toMatch(/Tested: \d\d/)
  expect(logOf(server)).not.toMatch(/internal-error|a bug ends/)
  expect(await server.stop()).toBe(0)
}
