/** The choice among candidates, and the features that weights are fitted to. */
import { describe, expect, it } from 'vitest'
import { createCandidates } from '#synoptic/search/reader/candidates.js'
import { choose, eachCandidate } from '#synoptic/search/reader/choose.js'
import { kindFeatures, kindsOf } from '#synoptic/search/reader/query-kind.js'
import { readerOptions } from './make-reader.js'

const { weights, ...options } = readerOptions()
const candidatesOf = createCandidates(options)
const query = 'I loved Naruto and Cowboy Bebop, want romance, no horror please'
const read = candidatesOf(query)
const kinds = kindsOf(read, weights.kinds)

function featuresOf(text: string) {
  const all: { words: string; place: string; meaning: string[] }[] = []
  const own = candidatesOf(text)
  eachCandidate(own, kinds, weights.roles, (candidate, ofPlace, ofMeaning) => {
    const [place, meaning]: string[][] = [[], []]
    ofPlace((name) => place?.push(name))
    ofMeaning((name) => meaning?.push(name))
    const words = `${candidate.group} ${candidate.from} ${candidate.to}`
    all.push({ words, place: (place ?? []).join(), meaning: meaning ?? [] })
  })
  return all
}

describe('features', () => {
  it('are those of every candidate', () => {
    const all = featuresOf(query)
    expect(all.map(({ words }) => words)).toEqual(
      read.candidates.map(({ group, from, to }) => `${group} ${from} ${to}`),
    )
    expect(all.every(({ meaning }) => meaning.length > 5)).toBe(true)
  })

  it('of the place are alike for all that the same words may mean', () => {
    const places = new Map<string, string>()
    for (const { words, place } of featuresOf(query)) {
      expect(places.get(words) ?? place).toBe(place)
      places.set(words, place)
    }
  })

  it('of the place differ by the words around', () => {
    const placeOf = (text: string) =>
      featuresOf(text).find(({ words }) => words === 'fact 1 2')?.place
    expect(placeOf('want romance')).toContain('want before')
    expect(placeOf('no romance')).not.toBe(placeOf('want romance'))
  })

  it('mostly have weights', () => {
    const names = featuresOf(query).flatMap(({ words, meaning }) =>
      meaning.map((name) => ({
        table: words.startsWith('fact') ? weights.roles.fact : weights.roles.work,
        name,
      })),
    )
    const weighted = names.filter(({ table, name }) => table.has(name))
    expect(weighted.length).toBeGreaterThan(names.length / 2)
  })
})

describe('the kind of a query', () => {
  it('has shares that sum to 1', () => {
    expect(Object.values(kinds).reduce((sum, share) => sum + share)).toBeCloseTo(1)
    expect(kinds.request).toBeGreaterThan(0.5)
  })

  it.each([
    'Is Naruto worth watching?',
    'Naruto is about a boy who wants to lead his village, and who trains hard until he can.',
  ])('%j is not a request', (text) => {
    expect(kindsOf(candidatesOf(text), weights.kinds).request).toBeLessThan(0.5)
  })

  it('has a feature of each word that is known, and of no other', () => {
    const names: string[] = []
    kindFeatures(candidatesOf('anime zzyzx'), new Set(['anime']), (name) => names.push(name))
    expect(names).toContain('word anime')
    expect(names.join()).not.toContain('zzyzx')
  })
})

describe('the choice', () => {
  it('has no spans that overlap', () => {
    const chosen = choose(read, kinds, weights.roles, () => true)
    expect(chosen.length).toBeGreaterThan(2)
    chosen.forEach(({ from }, at) => expect(from).toBeGreaterThanOrEqual(chosen[at - 1]?.to ?? 0))
  })

  it('takes none that is not allowed', () => {
    expect(choose(read, kinds, weights.roles, () => false)).toEqual([])
    const chosen = choose(read, kinds, weights.roles, ({ group }) => group === 'fact')
    expect(chosen.every(({ group }) => group === 'fact')).toBe(true)
  })

  it('is empty without weights', () => {
    const none = {
      neighbours: new Set<string>(),
      phrases: new Set<string>(),
      fact: new Map<string, number[]>(),
      work: new Map<string, number[]>(),
    }
    expect(choose(read, kinds, none, () => true)).toEqual([])
  })
})
