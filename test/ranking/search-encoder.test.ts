/** The encoders with which /search may be answered. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SettingsError } from '#synoptic/base/errors/index.js'
import { requireSearchEncoder } from '#synoptic/search/composition/require-search-encoder.js'
import { afterAll, expect, test } from 'vitest'

const modelsDir = mkdtempSync(join(tmpdir(), 'synoptic-search-encoder-'))
afterAll(() => rmSync(modelsDir, { recursive: true }))
const minilm = 'encoders/all-MiniLM-L6-v2'
const require = (searchEncoder: string) => requireSearchEncoder({ searchEncoder, modelsDir })

test.each(['auto', 'builtin/static-en', 'builtin/minilm-anime'])(
  '%s, which ships, will do',
  async (name) => {
    await expect(require(name)).resolves.toBeUndefined()
  },
)

test('another that the ranker is fitted with has to be installed', async () => {
  const missing = require(minilm)
  await expect(missing).rejects.toThrow(SettingsError)
  await expect(missing).rejects.toThrow(`run \`synoptic models pull ${minilm}\``)
  mkdirSync(join(modelsDir, minilm), { recursive: true })
  writeFileSync(join(modelsDir, minilm, 'modules.json'), '[]')
  await expect(require(minilm)).resolves.toBeUndefined()
})

test.each([
  ['of another name', 'encoders/all-MiniLM-L12-v2', /did you mean encoders\/all-MiniLM-L6-v2\?$/],
  [
    'that is none',
    'toString',
    /expected builtin\/static-en or builtin\/minilm-anime or encoders\/all-MiniLM-L6-v2 or auto, received/,
  ],
  ['without a name', '', /--search-encoder: expected/],
])('one %s is refused with those that are fitted', async (_, name, problem) => {
  await expect(require(name)).rejects.toThrow(SettingsError)
  await expect(require(name)).rejects.toThrow(problem)
})
