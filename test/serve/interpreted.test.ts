/** What /search reads from a query, over a server that the command started on the sample. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { notebook, openSearchScene, type Answer } from './search-scene.js'

const { search, post, problemOf } = await openSearchScene()

const ask = (query: string, more: object = {}) => search('', { query, num_results: 100, ...more })
const titlesOf = ({ results }: Answer) => results.map(({ title }) => title)
const readingsOf = ({ interpretation }: Answer) =>
  interpretation?.readings.map(
    ({ kind, label, excluded }) => `${excluded ? 'not ' : ''}${kind} ${label}`,
  )

const genres = new Map(
  readFileSync('data/sample/anime.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; genres: string[] })
    .map((entry) => [entry.id, entry.genres]),
)
/** How many of the first results have the genre. */
const countWith = ({ results }: Answer, genre: string, count: number) =>
  results.slice(0, count).filter(({ id }) => genres.get(id)?.includes(genre)).length

describe('a title', () => {
  it.each([
    ["howl's moving castle", "Howl's Moving Castle"],
    ['VIOLET EVERGARDEN', 'Violet Evergarden'],
    ['shingeki no kyojin', 'Attack on Titan'],
    ['kimetsu no yaiba', 'Demon Slayer: Kimetsu no Yaiba'],
    ['violet evregarden', 'Violet Evergarden'],
    ['cowboy bebpo', 'Cowboy Bebop'],
  ])('%s has its work first, which the text alone does not', async (query, title) => {
    const answer = await ask(query)
    expect(titlesOf(answer)[0]).toBe(title)
    expect(answer.interpretation?.readings[0]).toMatchObject({ kind: 'title', begin: 0 })
    expect(titlesOf(await ask(query, { interpret: false }))[0]).not.toBe(title)
  })
})

describe('a work that is named as an example', () => {
  it.each([
    ['like mushishi', 'Mushishi', 'like Mushishi'],
    ['anime like Steins;Gate', 'Steins;Gate', 'like Steins;Gate'],
    ['Naruto but darker', 'Naruto', 'like Naruto'],
  ])('in %s is no answer, though the text alone finds it', async (query, title, reading) => {
    const answer = await ask(query, { num_results: 5 })
    expect(titlesOf(answer)).not.toContain(title)
    expect(readingsOf(answer)).toContain(reading)
    const byText = await ask(query, { num_results: 5, interpret: false })
    expect(titlesOf(byText)).toContain(title)
  })
})

describe('an exclusion', () => {
  it.each([
    ['school comedy without romance', 'Romance'],
    ['school comedy no romance', 'Romance'],
    ['sports anime without school', 'School'],
    ['mecha but not psychological', 'Psychological'],
  ])('%s puts what has it behind, and hides nothing', async (query, genre) => {
    const answer = await ask(query)
    expect(readingsOf(answer)).toContain(`not topic ${genre}`)
    expect(countWith(answer, genre, 5)).toBe(0)
    expect(countWith(answer, genre, 100)).toBeGreaterThan(0)
    expect(countWith(await ask(query, { interpret: false }), genre, 5)).toBeGreaterThan(0)
  })
})

describe('interpret', () => {
  it('is true by default', async () => {
    const { results, interpretation } = await ask('like mushishi', { interpret: true })
    expect(await ask('like mushishi')).toMatchObject({ results, interpretation })
  })

  it('false ranks by the text alone, and returns no interpretation', async () => {
    const answer = await ask('like mushishi', { interpret: false })
    expect(answer).not.toHaveProperty('interpretation')
    expect(answer.results).not.toEqual((await ask('like mushishi')).results)
  })

  it.each(['yes', 'true', '', 1, 0, null, [], {}])('%j is refused', async (interpret) => {
    const response = await post('/search/anime', { query: notebook, interpret })
    const { status, kind, errors } = await problemOf(response)
    expect([status, kind]).toEqual([400, 'invalid-request'])
    expect(errors).toMatchObject([{ path: 'interpret' }])
  })
})

describe('a query with no readings', () => {
  it.each([
    'a notebook that kills',
    'a bored student finds a notebook',
    'like zzzqqq',
    'without',
    'not',
    'the makers of',
    '😀',
  ])('%s is ranked by its text, series in order', async (query) => {
    const answer = await ask(query)
    expect(answer.interpretation?.readings ?? []).toEqual([])
    const byText = (await ask(query, { interpret: false })).results
    const scores = new Map(byText.map(({ id, score }) => [id, score]))
    // Others of its series change what a work gets, and nothing else does.
    const changed = answer.results.filter(({ id, score }) => scores.get(id) !== score)
    expect(changed.length).toBeLessThan(answer.results.length / 4)
    expect(answer.results[0]?.id).toBe(byText[0]?.id)
  })
})

describe('a name that nothing in the catalogue has', () => {
  it('is listed, and the rest is read as ever', async () => {
    const { interpretation } = await ask('comedy anime like Zorblax Quindle')
    expect(interpretation?.unknownNames).toEqual(['Zorblax Quindle'])
    expect((await ask('like mushishi')).interpretation).not.toHaveProperty('unknownNames')
  })
})

describe('nothing fits well', () => {
  it.each([
    ['zxqv blorptang', ['year', 'type', 'object']],
    ['a blorptang zxqvs a kettlewomp, from 1998', ['type', 'object']],
    ['a movie in which a blorptang zxqvs a kettlewomp', ['year', 'object']],
  ])('%s: %j would help', async (query, remember) => {
    const answer = await ask(query)
    expect(answer.nothingFits).toEqual({ remember })
    expect(answer.results.length).toBeGreaterThan(0)
  })

  it.each([notebook, 'Naruto', 'like Mushishi', 'space opera from the 80s'])(
    'is not said of %s',
    async (query) => {
      expect(await ask(query)).not.toHaveProperty('nothingFits')
    },
  )
})

describe('the interpretation', () => {
  it.each([
    '😀😀 like Mushishi',
    'space opera from the 80s',
    'by the makers of Akira',
    'Naruto but darker',
    'school comedy no romance',
    'Akira',
    'salaryman reincarnated as slime',
  ])('of %s has spans inside the query, in order, and no rows', async (query) => {
    const { interpretation } = await ask(query)
    const { readings = [], explained = -1, text } = interpretation ?? {}
    expect(readings.length).toBeGreaterThan(0)
    let begun = 0
    for (const { begin, end, confidence, ...reading } of readings) {
      expect(begin).toBeGreaterThanOrEqual(begun)
      expect(end).toBeGreaterThan(begin)
      expect(end).toBeLessThanOrEqual(query.length)
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1)
      expect(reading).not.toHaveProperty('rows')
      expect(reading).not.toHaveProperty('share')
      begun = begin
    }
    expect(explained).toBeGreaterThanOrEqual(0)
    expect(explained).toBeLessThanOrEqual(1)
    expect(text).toBeTypeOf('string')
  })

  it('counts its spans in UTF-16 units', async () => {
    const query = '😀😀 like Mushishi'
    const [reading] = (await ask(query)).interpretation?.readings ?? []
    expect(query.slice(reading?.begin, reading?.end)).toBe('Mushishi')
  })
})
