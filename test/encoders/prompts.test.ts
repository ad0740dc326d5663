/** Models that expect different words before queries and before what these should find. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEncoder } from '#synoptic/models/encoders/open-encoder.js'
import { createQueryCache } from '#synoptic/models/residency/query-cache.js'
import { readModelNames } from '#synoptic/models/registry/registry.js'
import { requireInstalled, resolveModel } from '#synoptic/models/registry/resolve-model.js'
import { SettingsError } from '#synoptic/base/errors/index.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tinyRow, writeTinyModel } from '../helpers/tiny-model.js'

const name = 'mine/prompted'
let modelsDir = ''
beforeEach(() => {
  modelsDir = mkdtempSync(join(tmpdir(), 'synoptic-prompts-'))
  writeTinyModel(join(modelsDir, name))
})
afterEach(() => rmSync(modelsDir, { recursive: true }))

function write(prompts: unknown): void {
  mkdirSync(modelsDir, { recursive: true })
  writeFileSync(join(modelsDir, 'custom.json'), JSON.stringify({ models: [{ name, prompts }] }))
  readModelNames({ modelsDir })
}

const mean = (...tokens: string[]) => {
  const rows = ['[CLS]', ...tokens, '[SEP]'].map((token) => tinyRow(token))
  return rows[0]?.map((_, i) => rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / rows.length)
}
const close = (values: readonly number[] = []) =>
  values.map((value): unknown => expect.closeTo(value, 4))

describe('prompts of a model', () => {
  test('are put before queries and passages, and before nothing else', async () => {
    write({ query: 'alpha ', passage: 'beta ' })
    const encoder = await openEncoder(requireInstalled(name, { modelsDir }), {
      threads: 1,
      device: 'cpu',
    })
    const vector = async (text: string, as?: 'query' | 'passage') => [
      ...(await encoder.encode([text], as && { as })).vectors,
    ]
    try {
      expect(await vector('gamma')).toEqual(close(mean('gamma')))
      expect(await vector('gamma', 'query')).toEqual(close(mean('alpha', 'gamma')))
      expect(await vector('gamma', 'passage')).toEqual(close(mean('beta', 'gamma')))
      const cached = createQueryCache({ limitBytes: 2 ** 20 }).wrap(encoder)
      const first = await cached.encode(['gamma'])
      expect((await cached.encode(['gamma'], { as: 'query' })).vectors).not.toEqual(first.vectors)
    } finally {
      await encoder.close()
    }
  })

  test('are refused where one of them is missing', () => {
    expect(() => write({ query: 'query: ' })).toThrow(SettingsError)
  })

  test('of multilingual-e5-small are those of its publisher', () => {
    expect(resolveModel('intfloat/multilingual-e5-small', { modelsDir })).toMatchObject({
      prompts: { query: 'query: ', passage: 'passage: ' },
      installed: false,
      builtin: false,
    })
  })
})
