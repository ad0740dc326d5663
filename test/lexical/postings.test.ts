import { expect, test } from 'vitest'
import { splitWords, wordCharacterRanges } from '#synoptic/base/text/searched-words.js'
import { openStemmer } from '#synoptic/base/text/stemmer.js'
import { Database } from '#synoptic/base/util/sqlite.js'
import {
  createPostingsBuilder,
  type Document,
  type OtherRows,
} from '#synoptic/data/lexical/postings.js'
import { mergeSpellings } from '#synoptic/data/lexical/spellings.js'
import { stemWords } from '#synoptic/data/lexical/stemmed-words.js'
import { createRowWords } from '#synoptic/native/addon/row-words.js'
import { inventWorks } from '../search/array-catalogue.js'

const stemmer = openStemmer(new Database(':memory:'))

const documentsOf = (count: number): Document[] =>
  inventWorks(count, 3, 41).map(({ title, texts }) => ({
    titles: [title],
    texts: texts.filter((text) => text !== null),
  }))

/** Of every stem its rows and impacts, as a file has them. */
function build(documents: readonly Document[], others?: OtherRows, atOnce?: number) {
  const builder = createPostingsBuilder(others)
  for (const document of documents) builder.add(document)
  const { stems, parts } = builder.build(stemmer, atOnce)
  const all = [...parts]
  const numbers = all.flatMap(({ postings }) => [...postings])
  const ends = all.flatMap((part) => [...part.ends])
  const stripes = Math.ceil(documents.length / 65_536)
  expect(ends.length).toBe(stems.length * stripes)
  return stems.map((stem, position) => {
    const rows: number[] = []
    const impacts: number[] = []
    for (let stripe = 0; stripe < stripes; stripe += 1) {
      const at = position * stripes + stripe
      const [begin, end] = [ends[at - 1] ?? 0, ends[at] ?? 0]
      const count = end - begin
      rows.push(...numbers.slice(2 * begin, 2 * begin + count).map((row) => row + stripe * 65_536))
      impacts.push(...numbers.slice(2 * begin + count, 2 * end))
    }
    return { stem, rows, impacts }
  })
}

/** The formula in postings.ts word by word, over lists of strings. */
function oracle(documents: readonly Document[], others?: OtherRows) {
  const words = documents.map(({ titles, texts }) => ({
    titles: titles.flatMap(splitWords),
    texts: texts.flatMap(splitWords),
  }))
  const distinct = [...new Set(words.flatMap((row) => [...row.titles, ...row.texts]))]
  const count = documents.length + (others?.rows ?? 0)
  const rowsWith = Uint32Array.from(
    distinct,
    (word) =>
      words.filter((row) => row.titles.includes(word) || row.texts.includes(word)).length +
      (others?.rowsWith(word) ?? 0),
  )
  const merged = mergeSpellings(stemWords(distinct, distinct.length, stemmer), rowsWith, count)
  const stemsOf = (word: string): number[] => {
    const code = merged.codes[distinct.indexOf(word)] ?? 0
    const other = merged.others[code - merged.stems.length]
    return code < merged.stems.length ? [code] : [...(other ?? [])]
  }
  const lengths = words.map(({ titles, texts }) => titles.length + texts.length)
  const own = lengths.reduce((sum, length) => sum + length, 0)
  const mean = (own + (others ? others.rows * others.meanWords : 0)) / count
  const weights = merged.stems.map(() => new Map<number, number>())
  words.forEach(({ titles, texts }, row) => {
    for (const [list, weight] of [
      [titles, 2],
      [texts, 1],
    ] as const)
      for (const stem of list.flatMap(stemsOf)) {
        const ofStem = weights[stem]
        ofStem?.set(row, (ofStem.get(row) ?? 0) + weight)
      }
  })
  return merged.stems.map((stem, position) => {
    const ofStem = weights[position] ?? new Map<number, number>()
    const n = ofStem.size + (others?.rowsWith(stem) ?? 0)
    const rarity = Math.log(1 + (count - n + 0.5) / (n + 0.5))
    const impacts = [...ofStem].map(([row, weight]) => {
      const norm = 1.2 * (1 - 0.75 + (0.75 * (lengths[row] ?? 0)) / mean)
      return Math.max(1, Math.round(((rarity * weight * (1.2 + 1)) / (weight + norm)) * 1024))
    })
    return { stem, rows: [...ofStem.keys()], impacts }
  })
}

test('postings are what the formula says, however many are gathered at a time', () => {
  const documents = documentsOf(80)
  const expected = oracle(documents)
  expect(expected.length).toBeGreaterThan(50)
  for (const atOnce of [undefined, 1, 7, 100, 1000])
    expect(build(documents, undefined, atOnce)).toEqual(expected)
  expect(build([])).toEqual([])
})

test('rows of another index count in the rarity and the mean length', () => {
  const documents = documentsOf(20)
  const others = { rows: 300, meanWords: 41.5, rowsWith: (word: string) => word.length * 3 }
  expect(build(documents, others)).toEqual(oracle(documents, others))
  expect(build(documents, others)).not.toEqual(oracle(documents))
})

test('words of several stems, of none and of no language are in the rows that have them', () => {
  const documents: Document[] = [
    { titles: ["It's K-ON! 2", '東京喰種、ガンダム'], texts: ['Café, naïve Ｆｕｌｌ ｗｉｄｔｈ'] },
    {
      titles: [''],
      texts: ['機動戦士 𠮷野家 𝐁𝐨𝐥𝐝 𝟙𝟚 😀smile😀', 'e\u0301galite\u0301 \ue000private'],
    },
    { titles: [], texts: [] },
    {
      titles: ['\ud842 lone \udfb7 halves\ud842'],
      texts: ['\u{100000}use a\u200db _under_score ½'],
    },
    { titles: ['²Ⅷ ªº \u0301'], texts: [`${'long'.repeat(20_000)} it's again K ON ON`] },
  ]
  expect(build(documents)).toEqual(oracle(documents))
})

test('rows in several stripes, and texts enough for the thread of the core', () => {
  const documents = Array.from({ length: 70_000 }, (_, row) => ({
    titles: [`w${row % 7}`],
    texts: [`w${row % 5} w${row % 11} common common`],
  }))
  const found = build(documents, undefined, 50_000)
  const common = found.find(({ stem }) => stem === 'common')
  expect(common?.rows).toEqual([...documents.keys()])
  expect(new Set(common?.impacts).size).toBe(1)
  for (const { stem, rows } of found.filter((one) => /^w\d+$/.test(one.stem))) {
    const has = (row: number) => [row % 7, row % 5, row % 11].includes(Number(stem.slice(1)))
    expect(rows).toEqual([...documents.keys()].filter(has))
  }
})

test('words are numbered by their first place, whatever their length', () => {
  const texts = [
    `${'long'.repeat(20_000)} it's again K ON`,
    ...Array.from({ length: 20_000 }, (_, number) => (number * 7919).toString(36)),
  ]
  const words = createRowWords(wordCharacterRanges())
  for (const text of texts) words.add(text, text.toUpperCase())
  const { words: found, rows, total } = words.finish()
  const all = texts.flatMap((text) => [...splitWords(text), ...splitWords(text.toUpperCase())])
  expect([...found]).toEqual([...new Set(all)])
  expect(rows.every((count) => count >= 1)).toBe(true)
  expect(total).toBe(all.length)
})

test('after the last part nothing is taken or given', () => {
  const words = createRowWords(wordCharacterRanges())
  words.add('one', '')
  const codes = Uint32Array.of(0)
  const stemmed = words.finish().stem({ stems: ['one'], codes, others: [] })
  const formula = { saturation: 1.2, lengthShare: 0.75, meanLength: 1, titleWeight: 2, units: 1024 }
  expect([...stemmed.postings({ ...formula, rarities: Float64Array.of(1) }, 10)]).toHaveLength(1)
  for (const call of [() => words.add('two', ''), () => words.finish()])
    expect(call).toThrow(TypeError)
})

test('stems that do not fit the words are refused', () => {
  const distinct = () => {
    const words = createRowWords(wordCharacterRanges())
    words.add('one two', '')
    return words.finish()
  }
  const stems = ['one', 'two']
  for (const [codes, others] of [
    [[0], []],
    [[0, 1, 1], []],
    [[0, 2], []],
    [[0, 3], [[0, 1]]],
    [[0, 2], [[0, 2]]],
  ] as const)
    expect(() => distinct().stem({ stems, codes: Uint32Array.from(codes), others })).toThrow(
      TypeError,
    )
  expect(() => createRowWords([] as never)).toThrow(TypeError)
})
