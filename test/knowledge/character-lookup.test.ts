/** Names of characters, and the works that they name. */
import { describe, expect, test } from 'vitest'
import { createCharacterLookup } from '#synoptic/search/knowledge/character-lookup.js'
import type { FactSource } from '#synoptic/data/catalogue/fact-lists.js'
import { namesOf } from '../catalogue/make-names.js'
import { factsOf, unknown, work } from '../facts/make-facts.js'

const popularity = new Float32Array(300)
popularity.set([5, 3.5, 1, 3, 3, 3, 3, 3])
const works = [
  work({ characters: ['Levi Ackerman', 'Eren Yeager'], franchise: 'titans', relation: 'main' }),
  work({ characters: ['Son Goku', 'Vegeta', 'Yuki Le'], franchise: 'balls', relation: 'main' }),
  work({ characters: ['Goku Minamoto', 'Spike Spiegel', 'Rem'] }),
  work({ characters: ['Yuki Sohma', 'Sakura Kinomoto', 'Shuichi Ooba'] }),
  work({ characters: ['Yuki Nagato', 'Sakura Miyawaki'] }),
  work({ characters: ['Yuki Cross'] }),
  work({ characters: ['Hana', 'The Teacher', 'Vigne April Tsuki', 'Johannes Krauser II'] }),
  work({ characters: ['Falco Grice'], franchise: 'titans', relation: 'sequel' }),
  ...Array.from({ length: 292 }, () => unknown),
]
/** Rows that have the words in titles or texts. */
const rowsOfWords = new Map([
  ['hana', [0, 1, 2, 3, 4, 5, 7]],
  ['spike', [0, 1, 3]],
  ['vegeta', [1]],
  ['the', Array.from({ length: 300 }, (_, row) => row)],
  ['teacher', [10, 11, 12, 13]],
])
type RowsWith = (word: string) => Uint32Array
const rowsWith = (word: string) => Uint32Array.from(rowsOfWords.get(word) ?? [])
const nowhere = () => new Uint32Array(0)
const lookupIn = (
  all: readonly FactSource[],
  known: Float32Array | undefined,
  rowsWith: RowsWith,
) => createCharacterLookup(namesOf(all).characters, factsOf(all, known), known, rowsWith)
const lookup = lookupIn(works, popularity, rowsWith)
const find = (text: string) => lookup?.(text.split(' '))

describe('a name', () => {
  test.each([
    [
      'whole',
      'levi ackerman fights',
      { length: 2, name: 'Levi Ackerman', rows: [0], kind: 'full' },
    ],
    ['family name first', 'goku son', { length: 2, rows: [1], kind: 'full' }],
    [
      'one word of it',
      'eren and mikasa',
      { length: 1, name: 'Eren Yeager', rows: [0], kind: 'word' },
    ],
    ['that is one word', 'vegeta', { rows: [1] }],
    ['in another romanisation', 'oba shuuichi', { length: 2, name: 'Shuichi Ooba', rows: [3] }],
    ['short', 'rem', { rows: [2] }],
    ['that ends before a numeral', 'krauser', { rows: [6], kind: 'word' }],
    ['that stories tell of other things, too', 'spike', { rows: [2], kind: 'plain' }],
    ['of words that all do', 'the teacher', { length: 2, rows: [6], kind: 'plain' }],
  ])('%s', (_, text, expected) => {
    expect(find(text)).toMatchObject(expected)
  })

  test('that several have names the one whose work is far better known', () => {
    expect(find('goku')?.rows).toEqual([1])
  })

  test('that several have, none better known, names all their works', () => {
    expect(find('sakura')?.rows).toEqual([3, 4])
  })

  test('of a sequel names the main work of its franchise', () => {
    expect(find('falco')?.rows).toEqual([0])
  })
})

describe('nobody is named by', () => {
  test.each([
    ['a word that many works have', 'hana'],
    ['a name that more than three series have, one of which is not far better known', 'yuki'],
    ['a very short word of a name', 'le'],
    ['a word in the middle of a name', 'april'],
    ['a part of a word', 'ack'],
    ['other words', 'a boy with a sword'],
    ['nothing', ''],
  ])('%s', (_, text) => {
    expect(find(text)).toBeUndefined()
  })
})

test('a name that many have names the few whose works are far better known', () => {
  const all = ['Hina Rey', 'Hina Oki', 'Hina Paz', 'Hina Sol'].map((name) =>
    work({ characters: [name] }),
  )
  const known = Float32Array.of(2, 5, 4.5, 1)
  const find = lookupIn(all, known, nowhere)
  expect(find?.(['hina'])).toEqual({ length: 1, name: 'Hina Oki', rows: [1, 2], kind: 'shared' })
})

test('a work of unknown popularity is known least', () => {
  const all = [work({ characters: ['Ana Rey'] }), work({ characters: ['Ana Paz'] })]
  const find = lookupIn(all, Float32Array.of(NaN, 3), nowhere)
  expect(find?.(['ana'])?.rows).toEqual([1])
})

test('without characters there is no lookup', () => {
  expect(lookupIn([work({})], undefined, rowsWith)).toBeUndefined()
})
