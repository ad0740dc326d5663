/** What a box that completes while somebody types is given. */
import { describe, expect, test } from 'vitest'
import { everyTypo, indexOf } from './typos.js'

const index = indexOf(
  ['Naruto', ['native', 'ナルト']],
  ['Naruto: Shippuuden'],
  ['Boruto: Naruto Next Generations'],
  ['Narutaru'],
  ['Shingeki no Kyojin', ['english', 'Attack on Titan'], ['native', '進撃の巨人']],
  ['Attack No.1'],
  ['Kyousougiga'],
  ['Fullmetal Alchemist: Brotherhood'],
)
const titles = (typed: string, limit = 10) => index.complete(typed, limit).map(({ title }) => title)

describe('completes', () => {
  test('the beginning of titles, the shortest first, then that of a word in them', () => {
    expect(titles('naru')).toEqual([
      'Naruto',
      'Narutaru',
      'Naruto: Shippuuden',
      'Boruto: Naruto Next Generations',
    ])
    expect(index.complete('naru', 10).map(({ quality }) => quality)).toEqual([
      'prefix',
      'prefix',
      'prefix',
      'words',
    ])
  })

  test.each([
    ['n', 'Naruto'],
    ['ナル', 'ナルト'],
    ['進撃の', '進撃の巨人'],
    ['attack on t', 'Attack on Titan'],
    ['ATTACK ON', 'Attack on Titan'],
    ['titan', 'Attack on Titan'],
    ['titan att', 'Attack on Titan'],
    ['kyoj', 'Shingeki no Kyojin'],
    ['kyozi', 'Shingeki no Kyojin'],
    ['kyojin sh', 'Shingeki no Kyojin'],
    ['brotherh', 'Fullmetal Alchemist: Brotherhood'],
  ])('%s', (typed, expected) => {
    expect(titles(typed)[0]).toBe(expected)
  })

  test('a whole title as exact', () => {
    expect(index.complete('naruto', 1)[0]).toMatchObject({ quality: 'exact', row: 0 })
  })

  test('the popular first, where popularity is known', () => {
    const popularity = [1, 5, 3, Number.NaN]
    const found = index.complete('naru', 3, popularity).map(({ row }) => row)
    expect(found).toEqual([1, 0, 3])
  })
})

describe('completes in spite of a typo', () => {
  test.each([
    'atack on',
    'attakc on',
    'attzack on',
    'sttack on',
    'titn',
    'fullmtal alch',
    'attack on ttan',
  ])('%s', (typed) => {
    const found = index.complete(typed, 10)
    expect(found.length).toBeGreaterThan(0)
    expect(found[0]).toMatchObject({ quality: 'fuzzy' })
    expect(found.map(({ row }) => row).some((row) => row === 4 || row === 7)).toBe(true)
  })

  test('anywhere but at the end, which completes otherwise', () => {
    for (const typo of everyTypo('shingeki no')) {
      if (typo.length < 3) continue
      expect(
        index.complete(typo, 10).map(({ row }) => row),
        typo,
      ).toContain(4)
    }
  })
})

describe('completes nothing', () => {
  test.each([
    '',
    ' ',
    '!!',
    '😀',
    '\ud800',
    'zz',
    'zzzzzz',
    '猫',
    'naruto titan',
    'x'.repeat(10_000),
  ])('of %j', (typed) => {
    expect(titles(typed)).toEqual([])
  })

  test('at a limit of none', () => {
    expect(titles('naruto', 0)).toEqual([])
  })
})
