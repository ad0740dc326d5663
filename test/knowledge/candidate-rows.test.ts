/** The rows that stand before the ranker because they fit the query. */
import { describe, expect, it } from 'vitest'
import { candidateRows } from '#synoptic/search/knowledge/candidate-rows.js'
import type { QueryFit } from '#synoptic/search/knowledge/query-fit.js'

const none = [0, 0, 0, 0, 0, 0, 0, 0]
type Values = Partial<
  Record<
    'titleScores' | 'requestScores' | 'exclusionScores' | 'likenessScores' | 'popularity',
    readonly number[]
  >
>
const fitWith = ({
  titleScores,
  requestScores,
  exclusionScores,
  likenessScores,
  popularity,
}: Values): QueryFit => ({
  titleScores: Float32Array.from(titleScores ?? none),
  requestScores: Float32Array.from(requestScores ?? none),
  exclusionScores: Float32Array.from(exclusionScores ?? none),
  likenessScores: Float32Array.from(likenessScores ?? none),
  requests:
    requestScores === undefined ? [] : [{ label: '', degrees: Float32Array.from(requestScores) }],
  popularity: Float32Array.from(popularity ?? none),
  isMain: new Uint8Array(none.length).fill(1),
  continued: new Int32Array(none.length).fill(-1),
  continuation: 0,
  explained: 1,
  hasReferences: false,
  hasText: false,
})
const fit = fitWith({
  titleScores: [0, 0.9, 0, 0, 0, 0, 0, 0],
  requestScores: [0, 0.5, 1, 0.2, 0, 0, 0, 0],
  likenessScores: [0, 0, 0.2, 0, 0.05, 0.5, 0.3, 0],
})

describe('candidateRows', () => {
  it('takes rows of each kind, each once, and leaves out what fits little', () => {
    expect(candidateRows(fit, 8, undefined)).toEqual([1, 2, 5, 6])
  })

  it('takes at most so many, titles first and the best of each kind by turns', () => {
    expect(candidateRows(fit, 0, undefined)).toEqual([])
    expect(candidateRows(fit, 1, undefined)).toEqual([1])
    expect(candidateRows(fit, 3, undefined)).toEqual([1, 2, 5])
  })

  it('takes no row that the mask leaves out, and the next best in its place', () => {
    const withoutFive = Uint8Array.of(0b1101_1111)
    expect(candidateRows(fit, 3, withoutFive)).toEqual([1, 2, 6])
    expect(candidateRows(fit, 8, Uint8Array.of(0))).toEqual([])
  })

  it('takes works that are like a named one and have what is requested, before those that are most of one', () => {
    const values = {
      requestScores: [0, 1, 0.8, 0, 0, 0, 0, 0],
      likenessScores: [0, 0, 0.4, 0.7, 0, 0, 0, 0],
    }
    const both = { ...fitWith(values), hasReferences: true }
    expect(candidateRows(both, 8, undefined)).toEqual([2, 3])
    expect(candidateRows({ ...both, hasReferences: false }, 8, undefined)).toEqual([1, 3, 2])
    expect(candidateRows({ ...both, requests: [] }, 8, undefined)).toEqual([3, 2])
  })

  it('takes the best known of works that fit alike, and those that stand for their franchise', () => {
    const requestScores = [1, 1, 1, 0.9, 0, 0, 0, 0]
    const popularity = [0, 3, NaN, 3, 8, 0, 0, 0]
    const alike = fitWith({ requestScores, popularity })
    expect(candidateRows(alike, 8, undefined)).toEqual([1, 3, 0, 2])
    const isMain = Uint8Array.of(1, 0, 1, 1, 1, 1, 1, 1)
    expect(candidateRows({ ...alike, isMain }, 3, undefined)).toEqual([3, 0, 1])
  })

  it('takes works without what is excluded first', () => {
    const exclusionScores = [0, 1, 0, 0, 0, 0, 0, 0]
    const requestScores = [0.8, 1, 1, 0, 0, 0, 0, 0]
    expect(candidateRows(fitWith({ requestScores, exclusionScores }), 8, undefined)).toEqual([
      2, 0, 1,
    ])
  })

  it('takes any well-known work where all that is said is what it must not be', () => {
    const exclusionScores = [0, 0, 1, 0, 0, 0, 0, 0]
    const popularity = [1, 2, 3, NaN, 0, 0, 0, 0]
    const excluding = fitWith({ exclusionScores, popularity })
    expect(candidateRows(excluding, 8, undefined)).toEqual([1, 0])
    // Where no work has it, too.
    expect(candidateRows(fitWith({ popularity }), 8, undefined)).toEqual([2, 1, 0])
    // A text, or a work that is named, says more.
    expect(candidateRows({ ...excluding, hasText: true }, 8, undefined)).toEqual([])
    expect(candidateRows({ ...excluding, hasReferences: true }, 8, undefined)).toEqual([])
  })

  it('takes none for what they break, nor where nothing fits', () => {
    expect(candidateRows(fitWith({ exclusionScores: none.map(() => 1) }), 8, undefined)).toEqual([])
    expect(candidateRows(fitWith({}), 8, undefined)).toEqual([])
  })
})
