/** A client that openapi-typescript generates from /openapi.json: members with defaults are optional in it. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, expect, it } from 'vitest'
import { createTestApp } from './harness.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-client-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const generator = process.env.SYNOPTIC_TEST_OPENAPI_TYPESCRIPT ?? 'openapi-typescript'

const client = (titles: string) => `
import type { paths } from './api.js'
type Post = paths['/searchmodel/anime']['post']
export const body: Post['requestBody']['content']['application/json'] = { model: 'test/words', description: 'rain' }
export const query: paths['/similar/anime/{id}']['get']['parameters']['query'] = {}
export const titles: paths['/titles/anime']['get']['parameters']['query'] = ${titles}
`

function problemsOf(name: string, text: string): string[] {
  writeFileSync(join(scratch, name), text)
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  }
  const made = ts.createProgram([join(scratch, name)], options)
  return ts
    .getPreEmitDiagnostics(made)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

it('documents no default that would make a member required, and states it in words', async () => {
  const document = await (await createTestApp().app.request('/openapi.json')).text()
  expect(document).not.toContain('"default":')
  expect(document).toContain('Results on a page. Default: `10`.')
})

it('compiles a call with the required members only, and no call without them', async ({ skip }) => {
  if (spawnSync(generator, ['--version']).error) skip('there is no openapi-typescript')
  const document = await (await createTestApp().app.request('/openapi.json')).text()
  writeFileSync(join(scratch, 'openapi.json'), document)
  writeFileSync(join(scratch, 'package.json'), '{"type": "module"}')
  const files = [join(scratch, 'openapi.json'), '-o', join(scratch, 'api.ts')]
  const made = spawnSync(generator, files, { encoding: 'utf8' })
  expect(made.status, made.stderr).toBe(0)
  expect(problemsOf('good.ts', client("{ prefix: 'a' }"))).toEqual([])
  expect(problemsOf('bad.ts', client('{}'))).toEqual([expect.stringContaining('prefix')])
})
