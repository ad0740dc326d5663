/** The tiny cross-encoders of test/fixtures/models, and what sentence-transformers scores with them. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach } from 'vitest'
import { type CrossEncoder, openCrossEncoder } from '#synoptic/models/encoders/cross-encoder.js'

export type Pair = readonly [query: string, text: string]

export interface Reference {
  readonly pairs: readonly Pair[]
  /** The query is longer than the model reads together with the text. */
  readonly longQueries: readonly Pair[]
  readonly scores: Readonly<
    Record<string, { readonly pairs: readonly number[]; readonly longQueries: readonly number[] }>
  >
}

export const fixtures = fileURLToPath(new URL('../fixtures/models', import.meta.url))
export const reference = JSON.parse(
  readFileSync(join(fixtures, 'cross-encoder-scores.json'), 'utf8'),
) as Reference
export const rankingModels = Object.keys(reference.scores)

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

export async function openCross(folder: string, device = 'cpu'): Promise<CrossEncoder> {
  const encoder = await openCrossEncoder({ model: 'tiny', folder, threads: 1, device })
  closing.push(() => encoder.close())
  return encoder
}

const shared = new Map<string, Promise<CrossEncoder>>()
afterAll(async () => {
  for (const encoder of shared.values()) await (await encoder).close()
  shared.clear()
})

/** One for all tests of a file, which only score with it. */
export function sharedCross(name: string): Promise<CrossEncoder> {
  const folder = join(fixtures, name)
  const encoder =
    shared.get(name) ?? openCrossEncoder({ model: 'tiny', folder, threads: 1, device: 'cpu' })
  shared.set(name, encoder)
  return encoder
}

/** A copy of a tiny model; null takes a file out, text takes its place, members change those of JSON. */
export function copyModel(
  name: string,
  changes: Readonly<Record<string, null | string | Readonly<Record<string, unknown>>>> = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-cross-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(fixtures, name), folder, { recursive: true })
  for (const [file, change] of Object.entries(changes)) {
    const path = join(folder, file)
    if (change === null) rmSync(path)
    else if (typeof change === 'string') writeFileSync(path, change)
    else {
      const content = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
      writeFileSync(path, JSON.stringify({ ...content, ...change }))
    }
  }
  return folder
}

/** Scores of pairs with different queries, in one call for each query. */
export async function scorePairs(
  encoder: CrossEncoder,
  pairs: readonly Pair[],
  batchSize: number,
): Promise<number[]> {
  const scores = new Array<number>(pairs.length)
  for (const query of new Set(pairs.map(([query]) => query))) {
    const places = pairs.flatMap(([other], place) => (other === query ? [place] : []))
    const texts = places.map((place) => pairs[place]?.[1] ?? '')
    const answer = await encoder.score(query, texts, { batchSize })
    places.forEach((place, i) => (scores[place] = answer.scores[i] ?? NaN))
  }
  return scores
}
