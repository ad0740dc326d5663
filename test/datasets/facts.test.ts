/** Facts of works as fields of mappings, from every source that has them. */
import { readMapping } from '#synoptic/data/datasets/mapping.js'
import { describe, expect, test } from 'vitest'
import { jsonlMapping, lines, useWorkshop } from './workshop.js'

const workshop = useWorkshop()

const fields = { id: 'id', title: 'title', titles: ['others'] }

async function importOne(rows: readonly object[], mapping: object) {
  workshop.write('one.jsonl', lines(...rows))
  await workshop.import(workshop.write('one.json', jsonlMapping('one', mapping)))
  return workshop.entries('anime').map(({ facts }) => facts)
}

describe('facts', () => {
  test.each([
    [24, 24],
    ['24 min. per ep.', 24],
    ['1.5 hours', 90],
    ['1,5 h', 90],
    ['2.25 hr. 10.5 min', 146],
    ['1 hr. 45 min.', 105],
    ['2 hr', 120],
    ['90 sec. per ep.', 2],
    ['15 sec', 1],
    ['0', null],
    ['Unknown', null],
    ['soon', null],
  ])('minutes of "%s" are %s', async (duration, minutes) => {
    const rows = [{ id: 1, title: 'One', text: 'a', duration }]
    const [facts] = await importOne(rows, {
      fields: { id: 'id', title: 'title', minutes: 'duration' },
    })
    expect(facts?.minutes).toBe(minutes)
  })

  test('are read as what they are, and null or empty where a row does not tell them', async () => {
    const given = {
      others: ['Eins', 'Uno'],
      episodes: '25',
      studios: ['Wit Studio', 'Wit Studio', ''],
      director: 'Araki Tetsurou',
      source: 'manga',
      audience: ['Shounen', 'Seinen'],
      franchise: 'one',
      relation: 'main',
      adult: 'false',
    }
    const [first, second] = await importOne(
      [
        { id: 1, title: 'One', text: 'a', ...given },
        { id: 2, title: 'Two', text: 'b', episodes: 'many' },
      ],
      {
        fields: {
          ...fields,
          episodes: 'episodes',
          studios: 'studios',
          directors: 'director',
          source: 'source',
          audience: { from: 'audience', as: 'list' },
          franchise: 'franchise',
          relation: 'relation',
          adult: 'adult',
        },
      },
    )
    expect(first).toEqual({
      otherTitles: ['Eins', 'Uno'],
      episodes: 25,
      studios: ['Wit Studio'],
      directors: ['Araki Tetsurou'],
      source: 'manga',
      audience: 'shounen',
      franchise: 'one',
      relation: 'main',
      adult: false,
    })
    expect(second).toEqual({
      otherTitles: [],
      episodes: null,
      studios: [],
      directors: [],
      source: null,
      audience: null,
      franchise: null,
      relation: null,
      adult: null,
    })
  })

  test('may stand among the metadata, as they did', async () => {
    const metadata = { episodes: { from: 'count', as: 'integer' }, studios: 'makers', note: 'note' }
    const row = {
      id: 1,
      title: 'One',
      others: [],
      text: 'a',
      count: 12,
      makers: 'Bones',
      note: 'n',
    }
    const [facts] = await importOne([row], { fields, metadata })
    expect(facts).toEqual({ otherTitles: [], episodes: 12, studios: ['Bones'] })
    expect(workshop.entries('anime')[0]?.metadata).toEqual({ note: 'n' })
  })

  test.each<[string, object, object]>([
    ['a field', { place: 'was' }, {}],
    ['metadata', {}, { place: 'was' }],
    ['a field next to the new name', { place: 'other', relation: 'was' }, {}],
  ])('the relation may have its former name `place` as %s', async (_, more, metadata) => {
    const row = { id: 1, title: 'One', others: [], text: 'a', was: 'main', other: 'film' }
    const [facts] = await importOne([row], { fields: { ...fields, ...more }, metadata })
    expect(facts).toEqual({ otherTitles: [], relation: 'main' })
    expect(workshop.entries('anime')[0]?.metadata).toEqual({})
  })

  test('tags are no metadata', async () => {
    const mapping = workshop.write('t.json', jsonlMapping('t', { metadata: { tags: 'tags' } }))
    await expect(readMapping(mapping)).rejects.toThrow(/metadata\.tags: expected a name/)
  })
})

describe('tags', () => {
  const tagsOf = async (values: object, tags: unknown = 'tags') => {
    const row = { id: 1, title: 'One', others: [], text: 'a', ...values }
    const [facts] = await importOne([row], { fields: { ...fields, tags } })
    return { tags: facts?.tags, spoilerTags: facts?.spoilerTags }
  }

  test.each<[string, unknown, object]>([
    ['weights of keys', { 'time-loop': 3, gore: 1 }, { 'time-loop': 3, gore: 1 }],
    [
      'names and synonyms, in any case',
      ['Time Loop', 'PRIMARILY ADULT CAST'],
      { 'time-loop': 2, 'adult-cast': 2 },
    ],
    ['a list as text', 'Time Loop | gore', { 'time-loop': 2, gore: 2 }],
    ['what the vocabulary lacks', ['Underwater Tax Law', 7, null], {}],
    ['weights that are none', { 'time-loop': 4 }, {}],
    ['nothing', null, {}],
  ])('of %s', async (_, value, expected) => {
    expect(await tagsOf({ tags: value })).toEqual({ tags: expected, spoilerTags: {} })
  })

  test('have ranks and are hidden where they tell too much', async () => {
    const ranked = [
      { name: 'Time Loop', rank: 90, isMediaSpoiler: true },
      { name: 'Gore', rank: 79 },
      { name: 'Military', rank: 12, isMediaSpoiler: false },
    ]
    expect(await tagsOf({ tags: ranked })).toEqual({
      tags: { gore: 2, military: 1 },
      spoilerTags: { 'time-loop': 3 },
    })
  })

  test('come from several fields, and from a field that a file may lack', async () => {
    const several = [
      { from: 'themes', as: 'list', separator: ',' },
      { from: 'tags', optional: true },
    ]
    expect(await tagsOf({ themes: 'Gore, Military' }, several)).toEqual({
      tags: { gore: 2, military: 2 },
      spoilerTags: {},
    })
    await expect(tagsOf({}, 'tagz')).rejects.toThrow(/no row has "tagz"/)
  })

  test('of several sources are united; the first that has one decides', async () => {
    workshop.write(
      'a.jsonl',
      lines({ id: 1, title: 'One', text: 'a', tags: { gore: 3 }, year: null }),
    )
    const ranked = [
      { name: 'Gore', rank: 10 },
      { name: 'Military', rank: 60, isMediaSpoiler: true },
    ]
    workshop.write(
      'b.jsonl',
      lines({ id: 1, title: 'One', text: 'b', tags: ranked, studio: 'Bones' }),
    )
    const own = { id: 'id', title: 'title', tags: 'tags' }
    await workshop.import(
      workshop.write('a.json', jsonlMapping('a', { fields: own })),
      workshop.write(
        'b.json',
        jsonlMapping('b', { join: 'id', fields: { ...own, studios: 'studio' } }),
      ),
    )
    expect(workshop.entries('anime')[0]?.facts).toEqual({
      otherTitles: [],
      studios: ['Bones'],
      tags: { gore: 3 },
      spoilerTags: { military: 2 },
    })
  })
})

describe('related works', () => {
  const franchisesOf = async (rows: readonly object[], mapping: object = {}) => {
    const full = rows.map((row, position) => ({ id: position + 1, title: `T${position}`, ...row }))
    const own = { ...fields, related: 'related', ...mapping }
    const texts = full.map((row) => ({
      text: `story of ${JSON.stringify(row)}`,
      others: [],
      ...row,
    }))
    return (await importOne(texts, { fields: own })).map(({ franchise }) => franchise)
  }

  test('are one franchise, also by way of others and in one direction', async () => {
    const rows = [{ related: [3] }, { related: [] }, { related: ['4'] }, { related: null }]
    expect(await franchisesOf(rows)).toEqual(['of-1', null, 'of-1', 'of-1'])
  })

  test('take the franchise that one of them has', async () => {
    const rows = [{ related: [2] }, { franchise: 'told' }, { franchise: 'other', related: [3, 99] }]
    const mapping = { franchise: 'franchise' }
    expect(await franchisesOf(rows, mapping)).toEqual(['told', 'told', 'other'])
  })

  test('of a joined source refer to its own ids', async () => {
    workshop.write(
      'a.jsonl',
      lines({ id: 1, title: 'One', text: 'a' }, { id: 2, title: 'Two', text: 'b' }),
    )
    const ours = { id: 'id', title: 'title', related: 'related' }
    workshop.write(
      'b.jsonl',
      lines({ id: 2, title: 'Two', text: 'c', related: [3] }, { id: 3, title: 'Three', text: 'd' }),
    )
    await workshop.import(
      workshop.write('a.json', jsonlMapping('a')),
      workshop.write('b.json', jsonlMapping('b', { join: 'id', fields: ours })),
    )
    const found = workshop.entries('anime').map(({ facts }) => facts.franchise)
    expect(found).toEqual([null, 'of-2', 'of-2'])
  })
})
