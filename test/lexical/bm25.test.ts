/** Full-text search: against bm25 computed the plain way, and with queries that nobody foresaw. */
import { join } from 'node:path'
import type { Catalogue } from '#synoptic/data/catalogue/catalogue.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { maskOf } from '#synoptic/base/util/row-mask.js'
import { topHits } from '#synoptic/data/lexical/top-hits.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, row, seeded, useFolder } from '../catalogue/shelf.js'

const folder = useFolder()

function open(name: string, rows: Parameters<typeof row>[1][], columns = ['synopsis']): Catalogue {
  const path = join(folder, name)
  build(path, { name: 'anime', columns, rows: rows.map((changes, id) => row(id, changes)) })
  const catalogue = openCatalogue(path)
  afterAll(() => catalogue.close())
  return catalogue
}

describe('scores', () => {
  // Words without a second form, so that their stems are they themselves.
  const vocabulary = Array.from({ length: 60 }, (_, n) => `w${n}q`)
  const random = seeded(11)
  const someWords = (count: number) =>
    // Squared, so that some words are common and most are rare.
    Array.from({ length: count }, () => vocabulary[Math.floor(random() ** 2 * 60)] ?? '')
  const documents = Array.from({ length: 400 }, (_, id) => ({
    title: someWords(1 + (id % 4)),
    texts: [someWords(Math.floor(random() * 40)), someWords(id % 9)],
  }))
  let catalogue: Catalogue
  beforeAll(() => {
    const rows = documents.map(({ title, texts }) => ({
      title: title.join(' '),
      texts: texts.map((words) => (words.length === 0 ? null : words.join(', '))),
    }))
    catalogue = open('scores', rows, ['a', 'b'])
  })

  /** bm25 by its formula: k1 1.2, b 0.75, words of the title twice; each stem adds whole 1024ths, at least one. */
  function oracle(query: readonly string[]): { row: number; score: number }[] {
    const lengths = documents.map(({ title, texts }) => title.length + texts.flat().length)
    const mean = lengths.reduce((sum, length) => sum + length, 0) / documents.length
    const count = (words: readonly string[], word: string) => words.filter((w) => w === word).length
    const weights = [...new Set(query)].map((word) =>
      documents.map(({ title, texts }) => 2 * count(title, word) + count(texts.flat(), word)),
    )
    const scores = documents.map((_, position) =>
      weights.reduce((score, ofWord) => {
        const weight = ofWord[position] ?? 0
        const having = ofWord.filter((other) => other > 0).length
        const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))
        const norm = 1.2 * (0.25 + (0.75 * (lengths[position] ?? 0)) / mean)
        const impact = (rarity * weight * 2.2) / (weight + norm)
        return weight === 0 ? score : score + Math.max(1, Math.round(impact * 1024))
      }, 0),
    )
    const hits = scores.map((score, position) => ({ row: position, score: score / 1024 }))
    return hits
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.row - other.row)
  }

  test.each([1, 2, 5, 30])('are bm25 to the last bit for queries of %d words', async (words) => {
    for (let round = 0; round < 20; round += 1) {
      const query = someWords(words)
      const expected = oracle(query)
      const hits = await catalogue.lexical('anime', query.join(' '), 1000)
      expect(hits).toEqual(expected)
    }
  })

  test('are in order, ties by row, and any limit takes the first of them', async () => {
    for (const query of ['w0q', 'w0q w1q w2q w5q', 'w50q w51q']) {
      const all = await catalogue.lexical('anime', query, 1000)
      all.slice(1).forEach((hit, place) => {
        const before = all[place] ?? hit
        const isAfter =
          hit.score < before.score || (hit.score === before.score && hit.row > before.row)
        expect(isAfter).toBe(true)
      })
      for (const limit of [1, 2, 7, 200]) {
        expect(await catalogue.lexical('anime', query, limit)).toEqual(all.slice(0, limit))
      }
      expect(await catalogue.lexical('anime', query, 0)).toEqual([])
    }
  })

  test('take no place with rows that are left out', async () => {
    const query = 'w0q w1q w2q w5q'
    const all = await catalogue.lexical('anime', query, 1000)
    const even = documents.flatMap((_, position) => (position % 2 === 0 ? [position] : []))
    const mask = maskOf(documents.length, even)
    expect(await catalogue.lexical('anime', query, 20, mask)).toEqual(
      all.filter(({ row: position }) => position % 2 === 0).slice(0, 20),
    )
    expect(await catalogue.lexical('anime', query, 20, maskOf(documents.length, []))).toEqual([])
  })

  test('of rows that are named are those of the hits, 0 where there is none', async () => {
    for (const query of ['w0q w1q w2q w5q', 'w50q', 'nowhere', '', '!?']) {
      const hits = await catalogue.lexical('anime', query, 1000)
      const rows = Uint32Array.from([399, 0, 7, 7, 120, ...hits.map((hit) => hit.row)])
      expect([...(await catalogue.lexicalScores('anime', query, rows))]).toEqual(
        [...rows].map((position) =>
          Math.fround(hits.find((hit) => hit.row === position)?.score ?? 0),
        ),
      )
    }
    expect(await catalogue.lexicalScores('anime', 'w0q', new Uint32Array(0))).toHaveLength(0)
  })

  test('depend on their own query alone, not on earlier ones', async () => {
    const rows = Uint32Array.from(documents.keys())
    const scoresOf = (query: string) => catalogue.lexicalScores('anime', query, rows)
    const [one, other] = [await scoresOf('w0q w3q'), await scoresOf('w1q')]
    expect(one).not.toEqual(other)
    for (const again of [1, 2]) {
      expect(await scoresOf('w0q w3q'), `round ${again}`).toEqual(one)
      expect((await catalogue.lexical('anime', 'w1q', 1))[0]?.score).toBe(Math.max(...other))
      expect(await scoresOf('w1q')).toEqual(other)
    }
  })
})

describe('the rows with a word', () => {
  const random = seeded(5)
  const rows = Array.from({ length: 300 }, () => {
    const words = Array.from({ length: 9 }, () => `w${Math.floor(random() * 60)}q`)
    return { title: words.slice(0, 3).join(' '), texts: [words.slice(3).join(', ')] }
  })
  let catalogue: Catalogue
  beforeAll(() => {
    catalogue = open('rows', rows)
  })

  test.each(['w0q', 'w50q', 'w50q w51q w52q', 'w1q w1q'])('%s', (query) => {
    const searched = query.split(' ')
    const having = rows.flatMap(({ title, texts }, at) => {
      const words = `${title} ${texts.join(' ')}`.split(/\W+/)
      return words.some((word) => searched.includes(word)) ? [at] : []
    })
    expect([...catalogue.rowsWith('anime', query)]).toEqual(having)
    expect(having.length).toBeGreaterThan(0)
  })

  test.each(['nowhere', '', '!?', 'the and of'])('are none for %j', (query) => {
    expect([...catalogue.rowsWith('anime', query)]).toEqual([])
  })
})

describe('words', () => {
  let catalogue: Catalogue
  const rowsOf = async (query: string) =>
    (await catalogue.lexical('anime', query, 50)).map(({ row: position }) => position)
  beforeAll(() => {
    catalogue = open('words', [
      { title: 'Pokémon', texts: ['A boy travels with monsters.'] },
      { title: 'Lighthouse', texts: ['The keeper of the pokemon was travelling and not afraid.'] },
      { title: '紙の月', facts: { otherTitles: ['Paper Moon', 'Kami no Tsuki'] } },
      { title: 'The And Of', texts: ['or'] },
      { title: 'Blank' },
    ])
  })

  test.each([
    ['pokemon', [0, 1]],
    ['POKÉMON', [0, 1]],
    ['poke\u0301mon', [0, 1]],
    ['travel', [0, 1]],
    ['Travels!', [0, 1]],
    ['monster', [0]],
    ['keepers', [1]],
    ['paper', [2]],
    ['tsuki', [2]],
    ['紙の月', [2]],
    ['blank', [4]],
    ['nowhere', []],
  ])('%j is in the rows %j', async (query, expected) => {
    expect((await rowsOf(query)).sort()).toEqual(expected)
  })

  test('of no meaning count only where there are no others', async () => {
    expect((await rowsOf('the and of')).sort()).toEqual([1, 3])
    expect(await rowsOf('the monsters and of')).toEqual([0])
    expect(await rowsOf('The Monsters')).toEqual([0])
  })

  test('of the title count more than those of the text', async () => {
    expect((await rowsOf('pokemon'))[0]).toBe(0)
  })

  test('that are repeated count once', async () => {
    expect(await catalogue.lexical('anime', 'boy boy BOY boys', 9)).toEqual(
      await catalogue.lexical('anime', 'boy', 9),
    )
  })

  test.each([
    '',
    '   \n\t ',
    '!?…',
    '"',
    "'; DROP TABLE stems; --",
    'monsters AND NOT boy OR NEAR(',
    'title:boy* ^boy {boy} "boy" + -boy',
    'a\0b',
    '\ud800 lone surrogate \udfff',
    '🌙'.repeat(500),
    'ก็ แม่น้ำ हिन्दी 한국어 العربية',
    'x'.repeat(100_000),
    'word '.repeat(5000),
  ])('any text is a query: %j', async (query) => {
    expect(Array.isArray(await catalogue.lexical('anime', query, 10))).toBe(true)
    expect(await rowsOf('monster')).toEqual([0])
  })

  test('count the same whatever was searched before, in every plane of Unicode', async () => {
    const words = ['𠮷𠮷', 'ａｂｃ', 'ﬀﬀ', 'émile', 'boy', 'moon', '\ue000\ue001', '𝒳𝒴', '紙の月']
    const rows = words.map((word, position) => ({
      title: `${word} ${words[position - 1] ?? ''}`,
      texts: [words.slice(position).join(' ')],
    }))
    const searched = open('asked', rows)
    for (const word of words.toReversed()) await searched.lexical('anime', `${word} nowhere`, 9)
    const all = words.join(' ')
    expect(await searched.lexical('anime', all, 9)).toEqual(
      await open('fresh', rows).lexical('anime', all, 9),
    )
    expect(await searched.lexical('anime', all, 9)).toHaveLength(words.length)
  })

  test('operators are words: the boy is found whatever is next to him', async () => {
    expect(await rowsOf('"boy" NOT boy')).toContain(0)
    expect(await rowsOf('boy AND nowhere')).toEqual([0])
    expect(await rowsOf('synopsis:boy')).toEqual([0])
  })
})

test('one entry alone is found too', async () => {
  const catalogue = open('one', [{ title: 'Alone', texts: ['A story of one.'] }])
  expect(await catalogue.lexical('anime', 'story', 5)).toMatchObject([{ row: 0 }])
})

test('the first rows are those of a full sort', () => {
  const random = seeded(5)
  for (let round = 0; round < 200; round += 1) {
    // Few values, so that there are many ties; some are zero and stay out.
    const scores = Float32Array.from({ length: round }, () => Math.floor(random() * 8))
    const sorted = [...scores]
      .map((score, position) => ({ row: position, score }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.row - other.row)
    const odd = sorted.filter(({ row: position }) => position % 2 === 1)
    const mask = maskOf(
      round,
      odd.map(({ row: position }) => position),
    )
    const negated = Float32Array.from(scores, (score) => -score)
    for (const limit of [1, 3, 50, 500]) {
      expect(topHits(scores, limit, { above: 0 })).toEqual(sorted.slice(0, limit))
      expect(topHits(scores, limit, { above: 0, mask })).toEqual(odd.slice(0, limit))
      expect(topHits(negated, limit)).toHaveLength(Math.min(round, limit))
    }
  }
})
