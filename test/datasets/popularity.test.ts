/** How well known works are: whatever a source counts, it becomes a place among its works. */
import { describe, expect, test } from 'vitest'
import { readMapping } from '#synoptic/data/datasets/mapping.js'
import { toLogRanks } from '#synoptic/data/datasets/popularity.js'
import { jsonlMapping, lines, useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const { log } = Math

/** Every key in the first row, since one that no row has is refused. */
function source(name: string, rows: readonly object[], popularity: unknown, changes = {}): string {
  const whole = rows.map((row, at) => ({ id: at + 1, title: `Title ${at + 1}`, ...row }))
  workshop.write(
    `${name}.jsonl`,
    lines({ text: null, members: null, ...whole[0] }, ...whole.slice(1)),
  )
  const fields = { id: 'id', title: 'title', ...(popularity === undefined ? {} : { popularity }) }
  return workshop.write(`${name}.json`, jsonlMapping(name, { fields, ...changes }))
}
const imported = () => workshop.read((catalogue) => catalogue.popularity('anime'))
const rounded = (values: ArrayLike<number> | undefined) =>
  Array.from(values ?? [], (value) => value.toFixed(4))
const shown = (...values: number[]) => rounded(values)

describe('a place', () => {
  test('is -ln of the share that at least as many know', () => {
    expect(toLogRanks([10, 1000, 100, 1])).toEqual([log(4 / 3), log(4), log(2), 0])
  })

  test('is the same for the same count, that of the last of them', () => {
    expect(toLogRanks([7, 9, 7, 7])).toEqual([0, log(4), 0, 0])
    expect(toLogRanks([3, 3])).toEqual([0, 0])
  })

  test('is taken among those that are counted', () => {
    expect(toLogRanks([null, 5, null, 0])).toEqual([null, log(2), null, 0])
    expect(toLogRanks([null])).toEqual([null])
    expect(toLogRanks([])).toEqual([])
  })

  test('has the mean 1, so that sources of any size can be compared', () => {
    const places = toLogRanks(Array.from({ length: 5000 }, (_, at) => at ** 3))
    const mean = places.reduce<number>((sum, place) => sum + (place ?? 0), 0) / places.length
    expect(mean).toBeCloseTo(1, 2)
  })
})

describe('a catalogue', () => {
  test('has the places of the counts, however the source writes them', async () => {
    const rows = [{ members: '1,200' }, { members: 80.5 }, { members: 'N/A' }, { members: 3 }]
    await workshop.import(source('base', rows, 'members'))
    expect(rounded(imported())).toEqual(['1.0986', '0.4055', 'NaN', '0.0000'])
  })

  test('has the order of a source that lists the best known first', async () => {
    await workshop.import(source('base', [{}, {}, {}, {}], { listed: 'bestKnownFirst' }))
    expect(rounded(imported())).toEqual(shown(log(4), log(2), log(4 / 3), 0))
  })

  test('takes each work at the word of the first source that counts it', async () => {
    const base = source('base', [{ members: 90 }, {}, { members: 50 }], 'members')
    const votes = [{ members: 1 }, { members: 2 }, { members: 3 }, { members: 4 }]
    await workshop.import(base, source('votes', votes, 'members', { join: 'id' }))
    expect(rounded(imported())).toEqual(shown(log(2), log(4 / 3), 0, log(4)))
  })

  test.each([
    ['no source counts', undefined],
    ['no row has a count', 'members'],
  ])('has none where %s', async (_, popularity) => {
    await workshop.import(source('base', [{}, {}], popularity))
    expect(imported()).toBeUndefined()
  })

  test('keeps it, and its version, while another dataset is imported', async () => {
    const rows = [{ members: 7 }, {}, { members: 9 }, { members: 11 }]
    const { datasets } = await workshop.import(source('base', rows, 'members'))
    const before = imported()
    const manga = source('manga', [{}], undefined, { dataset: 'manga' })
    const { retained } = await workshop.import(manga)
    expect(imported()).toEqual(before)
    expect(retained.map(({ version }) => version)).toEqual(datasets.map(({ version }) => version))
  })

  test('is of another version where a work has become better known', async () => {
    const versionOf = async (members: number) => {
      const { datasets } = await workshop.import(
        source('base', [{ members }, { members: 5 }], 'members'),
      )
      return datasets[0]?.version
    }
    expect(await versionOf(4)).not.toBe(await versionOf(6))
    expect(await versionOf(6)).toBe(await versionOf(7))
  })
})

test.each([
  ['another order', { listed: 'worstKnownFirst' }, /fields\.popularity\.listed: /],
  ['an order of a field', { listed: 'bestKnownFirst', from: 'rank' }, /fields\.popularity\.from: /],
  ['a number', 5, /fields\.popularity: expected a field name or/],
  ['a field without a source', {}, /fields\.popularity\.from: /],
])('a mapping is refused with %s', async (_, popularity, problem) => {
  await expect(readMapping(source('bad', [{}], popularity))).rejects.toThrow(problem)
})

test('a field that no row has is reported', async () => {
  await expect(workshop.import(source('base', [{}], 'membres'))).rejects.toThrow('membres')
})
