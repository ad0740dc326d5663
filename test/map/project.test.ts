/** Where works lie: near what they are like, and in the same place in every build. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extent, project } from '#synoptic/search/map/project.js'
import { seededRandom } from '#synoptic/search/map/random.js'
import { findRegions } from '#synoptic/search/map/regions.js'
import { workVectors, type WorkVectors } from '#synoptic/search/map/work-vectors.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let folder: string
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'synoptic-map-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const dimension = 16
const kinds = 4

/** Row r is of kind r % kinds: its direction and a little of anything. */
function vectorsOf(rows: number, noise = 0.2): WorkVectors {
  const random = seededRandom(7)
  const values = new Float32Array(rows * dimension)
  for (let row = 0; row < rows; row++) {
    const vector = Float32Array.from(
      { length: dimension },
      (_, i) => Number(i === row % kinds) + noise * (random() - 0.5),
    )
    const norm = Math.hypot(...vector)
    values.set(
      vector.map((value) => value / norm),
      row * dimension,
    )
  }
  return { dimension, rows: Uint32Array.from({ length: rows }, (_, row) => row), values }
}

const distance = (points: Uint16Array, one: number, other: number) =>
  Math.hypot(
    (points[2 * one] ?? 0) - (points[2 * other] ?? 0),
    (points[2 * one + 1] ?? 0) - (points[2 * other + 1] ?? 0),
  )

describe('project', () => {
  it('lays the same works in the same places', async () => {
    const one = await project(vectorsOf(200), { folder })
    const other = await project(vectorsOf(200), { folder })
    expect(one).toEqual(other)
    expect(Math.max(...one)).toBeLessThanOrEqual(extent)
    expect(readdirSync(folder)).toEqual([])
  })

  it('lays works nearer to those of their kind than to others', async () => {
    const rows = 240
    const points = await project(vectorsOf(rows), { folder })
    let right = 0
    for (let row = 0; row < rows; row++) {
      const others = [...Array(rows).keys()].filter((other) => other !== row)
      const [nearest = 0] = others.sort(
        (a, b) => distance(points, row, a) - distance(points, row, b),
      )
      right += Number(nearest % kinds === row % kinds)
    }
    expect(right / rows).toBeGreaterThan(0.95)
  })

  it.each([0, 1, 2, 15, 16, 17, 18])('lays out %i works', async (rows) => {
    const points = await project(vectorsOf(rows), { folder })
    expect(points.length).toBe(2 * rows)
    expect([...points].every(Number.isFinite)).toBe(true)
  })

  it('parts works that are all equal', async () => {
    const points = await project(vectorsOf(60, 0), { folder })
    expect(new Set(points).size).toBeGreaterThan(20)
  })

  it('stops on request, and leaves nothing behind', async () => {
    const stop = new AbortController()
    const stopped = project(vectorsOf(300), {
      folder,
      signal: stop.signal,
      onProgress: (share) => share > 0.5 && stop.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('workVectors', () => {
  const index = (vectors: readonly (readonly number[])[]) => ({
    rows: vectors.length,
    dimension: 3,
    vectors: (row: number) => Promise.resolve(Float32Array.from(vectors[row] ?? [])),
  })

  it('places a work without a text where its tags are, and leaves out one without any data', async () => {
    const texts = [
      [1, 0, 0],
      [0.9, 0.1, 0],
      [0, 1, 0],
      [0, 0.9, 0.1],
      [0, 0, 0],
      [0, 0, 0],
    ]
    const traits = [
      { name: 'sea', rows: Uint32Array.of(0, 1, 4) },
      { name: 'school', rows: Uint32Array.of(2, 3) },
    ]
    const { rows, values } = await workVectors(index(texts), traits)
    expect([...rows]).toEqual([0, 1, 2, 3, 4])
    const cosine = (one: number, other: number) =>
      [0, 1, 2].reduce(
        (sum, i) => sum + (values[3 * one + i] ?? 0) * (values[3 * other + i] ?? 0),
        0,
      )
    expect(cosine(4, 0)).toBeGreaterThan(0.8)
    expect(cosine(4, 0)).toBeGreaterThan(cosine(4, 2))
  })

  it('takes numbers that are none for no text', async () => {
    const { rows } = await workVectors(
      index([
        [NaN, 1, 0],
        [1, 0, 0],
        [0, Infinity, 0],
        [0, 1, 0],
      ]),
      [],
    )
    expect([...rows]).toEqual([1, 3])
  })
})

describe('findRegions', () => {
  it('names each region by what its works share and others lack', () => {
    // Two crowds: all have "long", the left one "sea" too.
    const points = Uint16Array.from({ length: 400 }, (_, at) => {
      const work = at >> 1
      const side = work < 100 ? 10_000 : 50_000
      return at % 2 === 0 ? side + (work % 10) * 100 : 30_000 + (work % 7) * 100
    })
    const rows = (from: number, to: number) =>
      Uint32Array.from({ length: to - from }, (_, i) => from + i)
    const traits = [
      { name: 'long', rows: rows(0, 200) },
      { name: 'sea', rows: rows(0, 100) },
      { name: 'school', rows: rows(110, 200) },
    ]
    const far = findRegions(points, traits).filter(({ level }) => level === 0)
    expect(far.flatMap(({ words }) => words)).not.toContain('long')
    const sea = far.find(({ words }) => words.includes('sea'))
    const school = far.find(({ words }) => words.includes('school'))
    expect(sea?.x).toBeLessThan(20_000)
    expect(school?.x).toBeGreaterThan(40_000)
  })

  it('finds none among a handful of works', () => {
    expect(findRegions(Uint16Array.of(1, 1, 2, 2), [])).toEqual([])
  })
})
