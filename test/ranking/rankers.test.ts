import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDevices } from '#synoptic/models/encoders/device.js'
import { ModelNotInstalledError, ValidationError } from '#synoptic/base/errors/index.js'
import { createResourceCache } from '#synoptic/models/residency/resource-cache.js'
import type { Ranker } from '#synoptic/search/ranking/ranker.js'
import { createRankers } from '#synoptic/search/ranking/rankers.js'
import { createCrossEncoders } from '#synoptic/models/residency/resident-cross-encoders.js'
import { fixtures } from '../encoders/cross-models.js'
import { createWorld } from '../search/world.js'

const modelsDir = mkdtempSync(join(tmpdir(), 'synoptic-rankers-'))
const fineTunedDir = join(modelsDir, 'fine-tuned')
cpSync(join(fixtures, 'bert'), join(modelsDir, 'cross-encoder/ms-marco-MiniLM-L-6-v2'), {
  recursive: true,
})
cpSync(join(fixtures, 'xlm-roberta'), join(fineTunedDir, 'mine'), { recursive: true })

const { catalogue } = createWorld()
const cache = createResourceCache()
afterAll(async () => {
  await cache.close()
  rmSync(modelsDir, { recursive: true })
})
const crossEncoders = createCrossEncoders({ cache, threads: 1, devices: createDevices(false) })

/** Scores rows by their number. */
const byRow: Ranker = {
  device: 'cpu',
  rank: ({ rows }) =>
    Promise.resolve({
      scores: Float32Array.from(rows, (row) => row / 100),
      textScores: Float32Array.from(rows, (row) => row / 100),
      toProbability: (score) => score,
      columns: new Uint16Array(rows.length),
      warnings: [],
    }),
}
const builtin = new Map([['builtin/maxsim-en', byRow]])
const rankersWith = (crossEncoder: string) =>
  createRankers({ catalogue, crossEncoders, builtin, crossEncoder, modelsDir, fineTunedDir })
const rankers = rankersWith('builtin/maxsim-en')

function ask(from: typeof rankers, model?: string, device?: string) {
  const dataset = catalogue.dataset('anime')
  if (dataset === undefined) throw new Error('no dataset')
  return from.use(model, device, async (ranker, warnings) => {
    const rows = Uint32Array.from([3, 1])
    const { scores, toProbability } = await ranker.rank({
      dataset,
      query: 'robot',
      rows,
      batchSize: 8,
    })
    return { scores: [...scores].map(toProbability), device: ranker.device, warnings }
  })
}

describe('rankers', () => {
  it('answer with the default where none is named', async () => {
    const { scores } = await ask(rankers)
    expect(scores[0]).toBeCloseTo(0.03)
    const other = rankersWith('ms-marco-MiniLM-L6-v2')
    expect(await ask(other)).toEqual(await ask(other, 'cross-encoder/ms-marco-MiniLM-L-6-v2'))
  })

  it('differ by name', async () => {
    const [bert, mine] = [await ask(rankers, 'ms-marco-MiniLM-L6-v2'), await ask(rankers, 'mine')]
    expect(bert.scores).not.toEqual(mine.scores)
    expect(mine).toEqual(await ask(rankers, join(fineTunedDir, 'mine')))
    for (const score of [...bert.scores, ...mine.scores]) {
      expect(score > 0 && score < 1).toBe(true)
    }
  })

  it('say that the built-in one does not run on a GPU', async () => {
    expect(await ask(rankers, 'builtin/maxsim-en', 'cuda:0')).toMatchObject({
      device: 'cpu',
      warnings: ['builtin/maxsim-en runs on the CPU only; cuda:0 is not used.'],
    })
    expect(await ask(rankers, 'maxsim-en', 'cpu')).toMatchObject({ warnings: [] })
  })

  it('say that a GPU is not there', async () => {
    expect(await ask(rankers, 'mine', 'cuda')).toMatchObject({
      device: 'cpu',
      warnings: ['cuda is not there; the CPU answered.'],
    })
  })

  it.each([
    ['is not known', 'gpt', ValidationError],
    ['is of the other route', 'builtin/static-en', ValidationError],
    ['lies elsewhere', join(fixtures, 'bert'), ValidationError],
    ['is not installed', 'BAAI/bge-reranker-base', ModelNotInstalledError],
  ])('refuse a model that %s', async (_, model, kind) => {
    await expect(ask(rankers, model)).rejects.toThrow(kind)
    await expect(ask(rankersWith(model))).rejects.toThrow(kind)
  })
})
