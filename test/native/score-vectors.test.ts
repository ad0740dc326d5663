/** Exact scores of vectors that lie in no collection: those of the oracle, bit for bit. */
import { describe, expect, it } from 'vitest'
import { scoreVectors } from '#synoptic/native/addon/index.js'
import { adversarialValues, randomValues } from './npy.js'
import { oracleSearch } from './oracle.js'

describe('scoreVectors', () => {
  it.each([1, 7, 16, 384, 1000])('scores %i dimensions as the oracle does', (dimension) => {
    const rows = 60
    const values = adversarialValues(rows, dimension, dimension)
    const query = randomValues(dimension, 99).map((value) => value + 0.1)
    const expected = new Float32Array(rows).fill(NaN)
    for (const { row, score } of oracleSearch([{ values, dimension }], rows, query, rows)) {
      expected[row] = score
    }
    // From the middle of a buffer, as a part of a larger answer may be.
    const shifted = new Float32Array(values.length + 1)
    shifted.set(values, 1)
    expect(scoreVectors(query, shifted.subarray(1))).toEqual(expected)
  })

  it('scores nothing where there is nothing', () => {
    expect(scoreVectors(Float32Array.of(1, 2), new Float32Array(0))).toEqual(new Float32Array(0))
  })

  it.each([
    ['zero', new Float32Array(4), 'EQUERY'],
    ['NaN', Float32Array.of(1, NaN, 1, 1), 'EQUERY'],
    ['infinity', Float32Array.of(1, Infinity, 1, 1), 'EQUERY'],
  ])('refuses a query of %s', (_, query, code) => {
    expect(() => scoreVectors(query, new Float32Array(8))).toThrow(
      expect.objectContaining({ code }),
    )
  })

  it.each([
    ['half a vector', Float32Array.of(1, 2), new Float32Array(3)],
    ['an empty query', new Float32Array(0), new Float32Array(3)],
    ['numbers of another kind', Float32Array.of(1), new Float64Array(3) as unknown as Float32Array],
  ])('refuses %s', (_, query, vectors) => {
    expect(() => scoreVectors(query, vectors)).toThrow('expected')
  })
})
