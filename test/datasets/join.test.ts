/** Sources joined onto a base: who meets whom, and what becomes of the others. */
import { describe, expect, test } from 'vitest'
import { jsonlMapping, lines, useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const facts = { type: 'type', year: 'year', genres: 'genres', titles: ['titles'] }

interface Row {
  readonly id?: number
  readonly title: string
  readonly [name: string]: unknown
}

/** Every key in the first row, since one that no row has is refused. */
const allKeys = { type: null, year: null, genres: [], titles: [], note: null, text: null }

function source(name: string, rows: readonly Row[], changes: object): string {
  const [first, ...others] = rows
  workshop.write(`${name}.jsonl`, lines({ ...allKeys, ...first }, ...others))
  return workshop.write(`${name}.json`, jsonlMapping(name, changes))
}
const base = (...rows: readonly Row[]) =>
  source('base', rows, {
    fields: { id: 'id', title: 'title', ...facts },
    metadata: { note: 'note' },
  })
const byTitle = (...rows: readonly Row[]) =>
  source('right', rows, {
    join: 'title',
    fields: { title: 'title', ...facts },
    metadata: { note: 'note' },
  })
const byId = (...rows: readonly Row[]) =>
  source('right', rows, {
    join: 'id',
    fields: { id: 'id', title: 'title', ...facts },
    metadata: { note: 'note' },
  })

async function texts(...mappings: readonly string[]) {
  await workshop.import(...mappings)
  return workshop.entries('anime').map(({ title, texts }) => [title, ...texts])
}

describe('by id', () => {
  test('rows meet, keep what the base has and bring what it lacks', async () => {
    const summary = await workshop.import(
      base(
        { id: 5, title: 'Five', type: 'tv', genres: [], note: 'base', text: 'A' },
        { id: 9, title: 'Nine', year: 1999 },
      ),
      byId(
        {
          id: 9,
          title: 'Neun',
          year: 2000,
          type: 'movie',
          genres: ['Drama'],
          note: 'right',
          text: 'B',
        },
        { id: 7, title: 'Seven', text: 'C' },
        {
          id: 5,
          title: 'five',
          titles: ['Fünf', 'FIVE'],
          type: 'ova',
          genres: ['War'],
          note: 'right',
          text: 'D',
        },
      ),
    )
    expect(workshop.entries('anime')).toMatchObject([
      {
        id: 5,
        title: 'Five',
        type: 'tv',
        genres: ['War'],
        facts: { otherTitles: ['Fünf'] },
        metadata: { note: 'base' },
        texts: ['A', 'D'],
      },
      { id: 7, title: 'Seven', metadata: { note: null }, texts: [null, 'C'] },
      {
        id: 9,
        title: 'Nine',
        type: 'movie',
        year: 1999,
        genres: ['Drama'],
        facts: { otherTitles: ['Neun'] },
        metadata: { note: 'right' },
        texts: [null, 'B'],
      },
    ])
    expect(summary.datasets[0]?.sources).toMatchObject([{ added: 2 }, { joined: 2, added: 1 }])
    expect(summary.datasets[0]?.columns).toEqual(['Synopsis base', 'Synopsis right'])
  })
})

describe('by id, a row without one', () => {
  const numberless = (...rows: readonly object[]) =>
    byId({ id: 5, title: 'Five', text: 'B' }, ...(rows as readonly Row[]))

  test.each([
    ['null', null],
    ['a blank', ''],
    ['a word', 'x9'],
    ['below zero', -1],
    ['not there', undefined],
  ])('meets its namesake: %s', async (_, id) => {
    const summary = await workshop.import(
      base({ id: 5, title: 'Five', text: 'A' }, { id: 6, title: 'Six', text: 'A6' }),
      numberless({ id, title: 'SIX', text: 'C' }, { id, title: 'Seven', text: 'D' }),
    )
    expect(workshop.entries('anime').map(({ title, texts }) => [title, ...texts])).toEqual([
      ['Five', 'A', 'B'],
      ['Six', 'A6', 'C'],
      ['Seven', null, 'D'],
    ])
    expect(summary.datasets[0]?.sources[1]).toMatchObject({ joined: 2, added: 1 })
  })

  test('does not take a work that another row has by its id', async () => {
    const found = await texts(
      base({ id: 5, title: 'Five', text: 'A' }),
      numberless({ id: null, title: 'Five', text: 'C' }),
    )
    expect(found).toEqual([
      ['Five', 'A', 'B'],
      ['Five', null, 'C'],
    ])
  })

  test('is not merged with another one without an id', async () => {
    await workshop.import(
      base({ id: 5, title: 'Five' }),
      numberless({ id: null, title: 'One', text: 'C' }, { id: null, title: 'Two', text: 'D' }),
    )
    expect(workshop.entries('anime').map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Five', 'One', 'Two']),
    )
  })
})

describe('by title', () => {
  test.each([
    ['DEATH NOTE', 'Death Note'],
    ['K-ON!', 'K ON'],
    ['Ｆａｔｅ／Ｚｅｒｏ', 'fate/zero'],
    ['Straße', 'STRASSE'],
    ['  Spaces   between ', 'spaces between'],
    ['★', '★'],
  ])('%j meets %j', async (left, right) => {
    const found = await texts(
      base({ id: 1, title: left, text: 'A' }),
      byTitle({ title: right, text: 'B' }),
    )
    expect(found).toEqual([[left.trim().replace(/ +/g, ' '), 'A', 'B']])
  })

  test.each([
    ['Pokémon', 'Pokemon'],
    ['Part 1', 'Part 2'],
    ['★', '☆'],
    ['Another', 'The Other'],
  ])('%j does not meet %j, and both are kept', async (left, right) => {
    const found = await texts(
      base({ id: 1, title: left, text: 'A' }),
      byTitle({ title: right, text: 'B' }),
    )
    expect(found).toEqual([
      [left, 'A', null],
      [right, null, 'B'],
    ])
  })

  test('other titles meet too, on either side', async () => {
    const found = await texts(
      base(
        { id: 1, title: 'Sen to Chihiro', titles: ['Spirited Away'], text: 'A' },
        { id: 2, title: 'Mushishi', text: 'B' },
      ),
      byTitle(
        { title: 'Spirited away', text: 'C' },
        { title: 'Bug Master', titles: ['Mushi-shi', 'mushishi'], text: 'D' },
      ),
    )
    expect(found).toEqual([
      ['Sen to Chihiro', 'A', 'C'],
      ['Mushishi', 'B', 'D'],
    ])
  })

  test.each([
    ['a film and a series', { type: 'movie' }, { type: 'tv' }, 2],
    ['a manga and a novel', { type: 'manga' }, { type: 'light_novel' }, 2],
    ['years apart', { year: 1982 }, { year: 1985 }, 2],
    ['a year apart', { year: 1982 }, { year: 1983 }, 1],
    ['a film and a special', { type: 'movie' }, { type: 'special' }, 1],
    ['a series and one on the web', { type: 'tv' }, { type: 'ona' }, 1],
    ['a series and something', { type: 'tv' }, {}, 1],
  ])('of one title, %s', async (_, left, right, entries) => {
    const summary = await workshop.import(
      base({ id: 1, title: 'Cobra', ...left }),
      byTitle({ title: 'Cobra', ...right }),
    )
    expect(workshop.entries('anime')).toHaveLength(entries)
    const notes = summary.datasets[0]?.sources[1]?.notes.describe()
    expect(notes).toBe(entries === 2 ? '1 of another type or year: kept apart (line 1)' : '')
  })

  test('of several namesakes the closest pair meets, whatever the order of the rows', async () => {
    const right = [
      { title: 'Gintama.', text: 'dot' },
      { title: "Gintama'", text: 'dash' },
      { title: 'Gintama', text: 'plain' },
    ]
    for (const rows of [right, right.toReversed()]) {
      const found = await texts(base({ id: 1, title: 'GINTAMA', text: 'A' }), byTitle(...rows))
      expect(found[0]).toEqual(['GINTAMA', 'A', 'plain'])
      expect(found).toHaveLength(3)
    }
  })

  test('then the pair with more in common, and then the earlier row', async () => {
    const left = base(
      { id: 1, title: 'Saiyuuki', type: 'movie', year: 1960, text: 'film' },
      { id: 2, title: 'Saiyuuki', type: 'ova', year: 1999, text: 'ova' },
      { id: 3, title: 'Hamelin', text: 'first' },
      { id: 4, title: 'Hamelin', text: 'second' },
    )
    const right = byTitle(
      { title: 'Saiyuuki', type: 'ova', text: 'right ova' },
      { title: 'Hamelin', text: 'right' },
    )
    const found = await texts(left, right)
    expect(found).toEqual([
      ['Saiyuuki', 'film', null],
      ['Saiyuuki', 'ova', 'right ova'],
      ['Hamelin', 'first', 'right'],
      ['Hamelin', 'second', null],
    ])
    const summary = await workshop.import(left, right)
    expect(summary.datasets[0]?.sources[1]?.notes.describe()).toBe(
      '2 of several with that title: joined (lines 1, 2)',
    )
  })

  test('rows without a partner have ids that last, whatever else is imported', async () => {
    const lone = { title: 'Lone', type: 'tv', year: 2001, text: 'L' }
    await workshop.import(base({ id: 1, title: 'One' }), byTitle(lone))
    const [, before] = workshop.entries('anime')
    await workshop.import(
      base({ id: 1, title: 'One' }, { id: 2, title: 'Two' }),
      byTitle({ title: 'Before' }, { ...lone, text: 'changed' }, { title: 'Two' }),
    )
    const after = workshop.entries('anime').find(({ title }) => title === 'Lone')
    expect(before?.id).toBeGreaterThanOrEqual(2 ** 40)
    expect(Number.isSafeInteger(before?.id)).toBe(true)
    expect(after?.id).toBe(before?.id)
  })

  test('a row that is there twice is left out once; with another text it is kept', async () => {
    const twice = { title: 'Twice', type: 'tv', text: 'Same.' }
    const summary = await workshop.import(
      base({ id: 1, title: 'One' }),
      byTitle(twice, twice, { ...twice, text: 'Other.' }),
    )
    const [, ...added] = workshop.entries('anime')
    expect(added.map(({ title }) => title)).toEqual(['Twice', 'Twice'])
    expect(new Set(added.map(({ id }) => id)).size).toBe(2)
    expect(summary.datasets[0]?.sources[1]?.notes.describe()).toBe(
      '1 repeats an earlier row: skipped (line 2)',
    )
  })
})

test('a text that an earlier column has is not there twice', async () => {
  const summary = await workshop.import(
    base({ id: 1, title: 'One', text: 'The same text.' }),
    byId(
      { id: 1, title: 'One', text: 'The same<br> text.' },
      { id: 2, title: 'Two', text: 'The same text.' },
    ),
  )
  expect(workshop.entries('anime').map(({ texts }) => texts)).toEqual([
    ['The same text.', 'The same\ntext.'],
    [null, 'The same text.'],
  ])
  const again = await workshop.import(
    base({ id: 1, title: 'One', text: 'The same text.' }),
    byId({ id: 1, title: 'One', text: ' The same text. (Source: X)' }),
  )
  expect(workshop.entries('anime').map(({ texts }) => texts)).toEqual([['The same text.', null]])
  expect(summary.datasets[0]?.sources[1]?.repeatedTexts).toBe(0)
  expect(again.datasets[0]?.sources[1]?.repeatedTexts).toBe(1)
})

test('a base without ids gets ids that last', async () => {
  const rows = [
    { title: 'B', text: 'b' },
    { title: 'A', text: 'a' },
  ]
  const mapping = (list: readonly Row[]) => source('base', list, { fields: { title: 'title' } })
  await workshop.import(mapping(rows))
  const ids = new Map(workshop.entries('anime').map(({ title, id }) => [title, id]))
  await workshop.import(mapping([...rows.toReversed(), { title: 'C', text: 'c' }]))
  const after = new Map(workshop.entries('anime').map(({ title, id }) => [title, id]))
  expect(after.size).toBe(3)
  for (const [title, id] of ids) expect(after.get(title)).toBe(id)
})
