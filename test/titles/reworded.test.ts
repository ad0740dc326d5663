import { describe, expect, test } from 'vitest'
import { createSameWords } from '#synoptic/base/text/same-words.js'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'

const works = [
  ['The Town Where Only I am Missing'],
  ['My Youth Romantic Comedy Is Wrong, as I Expected'],
  ["I Can't Understand What My Husband Is Saying"],
  ['Owari no Seraph'],
  ['Pet Girl of Sakurasou'],
  ['Assassination Classroom'],
  ['Spice and Wolf'],
  ['Spice and Wolf II'],
  ['Grave of the Fireflies'],
  ['Your Lie in April'],
  ['Violet Evergarden'],
  ['Land of the Zombies'],
]
/** In which the words of titles are rare. */
const texts = Array.from({ length: 300 }, (_, place) => `a text of number ${place}`)
const index = createTitleIndex(
  works.flatMap((titles, row) => titles.map((text) => ({ row, text, kind: 'main' as const }))),
  { texts },
)
const same = createSameWords(
  [
    ['city', 'town'],
    ['missing', 'dont exist'],
    ['rom com', 'romantic comedy'],
    ['expected', 'thought'],
    ['teen', 'youth'],
    ['zombie', 'undead'],
    ['land', 'country'],
  ],
  new Map([
    ['grave', ['tomb', 'serious']],
    ['firefly', ['glowworm']],
  ]),
)
/** Rows of titles that share most of their words with the query. */
const rowsOf = (query: string) =>
  index
    .reworded(query, same)
    .filter(({ queryShare, titleShare }) => Math.min(queryShare, titleShare) > 0.59)
    .map(({ row }) => row)

describe('a title in other words', () => {
  test.each([
    ['the city where only i dont exist', [0], 'of the same meaning, one for several'],
    ['my teen rom com is wrong as i thought', [1], 'several for several'],
    ['i cant understand what my husband say', [2], 'inflected'],
    ['serafu owari', [3], 'in another order, written as they sound'],
    ['pet girl sakura', [4], 'of which one is cut off'],
    ['assasination class', [5], 'with a typo, and cut off'],
    ['wolf and spices', [6], 'not that of another season'],
    ['tomb of the glowworms', [8], 'by synonyms, one a plural'],
    ['yr lie aprl', [9], 'without vowels'],
    ['yr li in aprl', [9], 'without vowels, one at the end of a word'],
    ['vio evergardn', [10], 'by how a word begins'],
    ['zombie land', [11], 'not the plural of a word that ends with ie'],
    ['undead country', [11], 'by what stands for such a plural'],
  ])('%j is found, %j', (query, rows) => {
    expect(rowsOf(query)).toEqual(rows)
  })

  test.each([
    ['the city', 'two words of seven'],
    ['a girl in the town where rain falls every single day', 'a story with some of the words'],
    ['owari', 'one word'],
    ['spice and wolf season 3', 'of a season that is none'],
    ['my husband is missing', 'words of several titles'],
    ['serious glowworm tomb', 'words that are no synonyms of each other'],
    ['your lily in pearl', 'words with other consonants'],
    ['yu lip in apil', 'consonants left out'],
    ['let evergarden', 'an end of a word'],
    ['', 'nothing'],
    ['wolf '.repeat(2000), 'a very long query'],
  ])('%j is not, %s', (query) => {
    expect(rowsOf(query)).toEqual([])
  })

  test('synonyms count for less than words that stand for each other', () => {
    const [synonym] = index.reworded('tomb of the fireflies', same)
    const [alike] = index.reworded('tomb of the fireflies', createSameWords([['tomb', 'grave']]))
    expect(synonym?.queryShare).toBeGreaterThan(0.6)
    expect(synonym?.queryShare).toBeLessThan(alike?.queryShare ?? 0)
  })

  test('says how much of each agrees', () => {
    const [missing] = index.reworded('the city where i am missing', same)
    const [whole] = index.reworded('the town where only i am missing', same)
    expect(whole).toMatchObject({ queryShare: 1, titleShare: 1 })
    expect(missing?.titleShare).toBeLessThan(1)
    expect(missing?.bits).toBeLessThan(whole?.bits ?? 0)
  })
})
