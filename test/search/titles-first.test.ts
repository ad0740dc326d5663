/** `lexical` and `hybrid` put the entry first whose title is the description; `semantic` stays as it is. */
import { describe, expect, it } from 'vitest'
import { row } from '../catalogue/shelf.js'
import { openLibrary } from './library.js'

const robots =
  'A robot garden where every robot tends a garden of robots, and the robot garden grows.'
const library = await openLibrary([
  {
    name: 'anime',
    columns: ['synopsis'],
    rows: [
      row(1, { title: 'Robot Garden Robot Garden Story', texts: [robots] }),
      row(2, { title: 'Robot Garden', type: 'tv', texts: ['A cook ages.'] }),
      row(3, { title: 'Kikai no Niwa', texts: [robots], facts: { otherTitles: ['Iron Orchard'] } }),
      row(4, { title: 'Sea', type: 'movie', texts: [`${robots} Iron orchard, iron orchard.`] }),
    ],
  },
])
const ids = async (
  mode: 'semantic' | 'lexical' | 'hybrid',
  description: string,
  changes: { page?: number; resultsPerPage?: number; filter?: { types: string[] } } = {},
) => {
  const { results } = await library.search.similar.similar({
    dataset: 'anime',
    model: 'builtin/static-en',
    description,
    mode,
    page: 1,
    resultsPerPage: 10,
    ...changes,
  })
  return results.map(({ row: position }) => library.search.catalogue.entry('anime', position).id)
}

describe.each(['lexical', 'hybrid'] as const)('%s', (mode) => {
  it.each(['Robot Garden', 'robot garden', 'robot gardn'])(
    'has what %j is first',
    async (title) => {
      expect((await ids(mode, title))[0]).toBe(2)
    },
  )

  it('knows other titles, too', async () => {
    expect((await ids(mode, 'iron orchard'))[0]).toBe(3)
  })

  it('has each entry once, on whichever page', async () => {
    const whole = await ids(mode, 'Robot Garden')
    expect(new Set(whole).size).toBe(whole.length)
    const paged = []
    for (const page of [1, 2, 3, 4]) {
      paged.push(...(await ids(mode, 'Robot Garden', { page, resultsPerPage: 1 })))
    }
    expect(paged).toEqual(whole)
  })

  it('has no entry that the filter leaves out', async () => {
    expect(await ids(mode, 'Robot Garden', { filter: { types: ['movie'] } })).not.toContain(2)
  })

  it('does not take a sentence with a title in it for the title', async () => {
    expect((await ids(mode, 'every robot tends a garden of robots'))[0]).not.toBe(2)
  })
})

it('semantic compares vectors alone', async () => {
  expect((await ids('semantic', 'Robot Garden'))[0]).not.toBe(2)
})
