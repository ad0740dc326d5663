/** Results always show the synopsis; other matches come with it, and an ending only on request. */
import { createEntryJson } from '#synoptic/server/http/entry-json.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { row } from '../catalogue/shelf.js'
import { type Library, openLibrary } from '../search/library.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import { createTestApp, post, type TestApp } from './harness.js'

const columns = ['my synopsis', 'other synopsis', 'included synopsis', 'scenes', 'spoilers']
const ending = 'The captain was the murderer and drowns with the ship.'
const scenes = [
  'A parrot steals a golden spoon from the cook.',
  'Two boys hide in an apple barrel and hear the pirates plan a mutiny.',
  'A lantern swings in the fog.',
]
const rows = [
  row(10, {
    title: 'Harbour',
    texts: [
      'A boy joins a crew that looks for gold.',
      'Sailors cross the ocean with a map.',
      'Jim sails from Bristol.',
      scenes.join('\n'),
      `A whale sinks a boat.\n${ending}`,
    ],
  }),
  row(20, {
    title: 'Kettle',
    texts: [null, null, 'Two old friends drink tea in a quiet house.', null, 'The house burns.'],
  }),
  row(30, { title: 'Mute', texts: [null, null, null, null, 'All of it was a dream of the cat.'] }),
]

let library: Library
let app: TestApp
beforeAll(async () => {
  library = await openLibrary([{ name: 'anime', columns, rows }])
  const { ranked, similar, browse, catalogue } = library.search
  const entries = createEntryJson(catalogue)
  app = createTestApp({}, { rankedSearch: ranked, search: similar, browse, entries })
})

interface Result {
  readonly id: number
  readonly synopsis: string
  readonly column?: string
  readonly matched?: object
  readonly explain?: { readonly words: readonly (readonly [number, number])[] }
}

async function first(query: string, body: object = {}): Promise<Result | undefined> {
  const response = await post(app, '/search/anime', { query, fields: ['column'], ...body })
  expect(response.status).toBe(200)
  const { results } = (await response.json()) as { results: readonly Result[] }
  return results[0]
}

describe('POST /search', () => {
  const own = { synopsis: 'A boy joins a crew that looks for gold.', column: 'my synopsis' }

  it('shows the synopsis that matches, alone', async () => {
    const found = await first('sailors cross the ocean with a map')
    expect(found).toMatchObject({ id: 10, column: 'other synopsis' })
    expect(found).not.toHaveProperty('matched')
  })

  it('shows the first synopsis and the line of another text that matches', async () => {
    const found = await first('boys in an apple barrel overhear a mutiny')
    const matched = { column: 'scenes', text: scenes[1], spoiler: false }
    expect(found).toMatchObject({ id: 10, ...own, matched })
  })

  it('says which words of that line match, with `explain`', async () => {
    const found = await first('boys in an apple barrel overhear a mutiny', { explain: true })
    const { text, words } = found?.matched as { text: string; words: [number, number][] }
    expect(words.map(([begin, end]) => text.slice(begin, end))).toEqual(
      expect.arrayContaining(['boys', 'apple', 'barrel', 'mutiny']),
    )
    expect(found?.explain?.words.map(([begin, end]) => own.synopsis.slice(begin, end))).toContain(
      'boy',
    )
  })

  it('shows a synopsis of the included works where there is no other', async () => {
    const found = await first('old friends drink tea')
    expect(found).toMatchObject({ id: 20, column: 'included synopsis' })
    expect(found).not.toHaveProperty('matched')
    const withText = await first('Jim sails from Bristol')
    expect(withText).toMatchObject({
      ...own,
      matched: { column: 'included synopsis', text: 'Jim sails from Bristol.' },
    })
  })

  it('finds by the ending and does not show it', async () => {
    const found = await first('the captain was the murderer and drowns')
    expect(found).toMatchObject({ id: 10, ...own })
    expect(found?.matched).toEqual({ column: 'spoilers', text: null, spoiler: true })
    expect(JSON.stringify(found)).not.toContain('murderer')
    expect(await first('it was all a dream of the cat')).toMatchObject({
      id: 30,
      synopsis: '',
      column: null,
      matched: { text: null, spoiler: true },
    })
  })

  it('shows the ending to who wants it', async () => {
    const found = await first('the captain was the murderer and drowns', { spoilers: true })
    expect(found).toMatchObject({ ...own, matched: { text: ending, spoiler: true } })
  })

  it('refuses another value', async () => {
    const response = await post(app, '/search/anime', { query: 'a', spoilers: 'yes' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('spoilers')
  })
})

describe('results of one text', () => {
  it('show no ending in /searchmodel', async () => {
    const description = 'the captain was the murderer and drowns with the ship'
    const response = await post(app, '/searchmodel/anime', { model: builtinModel, description })
    const { results } = (await response.json()) as { results: readonly Result[] }
    expect(results[0]).toMatchObject({ id: 10, column: 'my synopsis' })
    expect(JSON.stringify(results)).not.toMatch(/murderer|dream of the cat/)
  })

  it('show no ending among neighbours', async () => {
    const response = await app.app.request(`/similar/anime/30?model=${builtinModel}`)
    const { results } = (await response.json()) as { results: readonly Result[] }
    expect(results.length).toBeGreaterThan(0)
    expect(JSON.stringify(results)).not.toMatch(/murderer|house burns/)
  })
})

describe('GET /entries', () => {
  const textsOf = async (query: string) => {
    const response = await app.app.request(`/entries/anime/10${query}`)
    return ((await response.json()) as { texts: Record<string, string> }).texts
  }

  it('shows endings to who wants them', async () => {
    expect(Object.keys(await textsOf(''))).toEqual(columns.slice(0, 4))
    expect(Object.keys(await textsOf('?spoilers=true'))).toEqual(columns)
    expect((await app.app.request('/entries/anime/10?spoilers=all')).status).toBe(400)
  })
})
