/** What whole queries find: hand-written cases, and the sample that ships. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'
import type { Title } from '#synoptic/data/titles/title.js'
import { describe, expect, test } from 'vitest'
import { everyTypo, indexOf } from './typos.js'

const index = indexOf(
  [
    'Shingeki no Kyojin',
    ['english', 'Attack on Titan'],
    ['native', '進撃の巨人'],
    ['other', 'SnK'],
  ],
  ['Shingeki no Kyojin Season 2', ['english', 'Attack on Titan Season 2']],
  ['Shingeki no Kyojin Season 3 Part 2', ['english', 'Attack on Titan Season 3 Part 2']],
  ['Shingeki no Kyojin Movie 1: Guren no Yumiya', ['english', 'Attack on Titan: Crimson Bow']],
  ['Gintama'],
  ["Gintama'"],
  ['Hunter x Hunter'],
  ['Hunter x Hunter (2011)', ['english', 'Hunter x Hunter']],
  ['Tokyo Ghoul', ['native', '東京喰種トーキョーグール']],
  ['Steins;Gate', ['native', 'シュタインズ・ゲート']],
  ['Bakuman.', ['other', 'Attack Titan']],
  ['Kimi no Na wa.', ['english', 'Your Name.'], ['other', '너의 이름은.']],
  ['★★★', ['other', 'سلام']],
  ['K', ['other', 'K Project']],
)
const rowsOf = (query: string, limit = 10) => index.match(query, limit).map(({ row }) => row)
const first = (query: string) => index.match(query, 10)[0]

describe('exact', () => {
  test.each([
    ['ATTACK  ON—TITAN!', [0]],
    ['Singeki no Kyojin', [0]],
    ['hunter x hunter', [7, 6]],
    ['attack on titam', []],
    ['attack on', []],
    ['', []],
  ])('%j', (query, rows) => {
    expect(index.exact(query, 10).map(({ row }) => row)).toEqual(expect.arrayContaining(rows))
    expect(index.exact(query, 10)).toHaveLength(rows.length)
  })

  test('of no limit is none', () => {
    expect(index.exact('Gintama', 0)).toEqual([])
  })
})

describe('an exact title comes first', () => {
  test.each([
    ['Attack on Titan', 0],
    ['attack on titan', 0],
    ['ATTACK  ON—TITAN!', 0],
    ['attackontitan', 0],
    ['shingeki no kyozin', 0],
    ['Singeki no Kyojin', 0],
    ['進撃の巨人', 0],
    ['attack on titan season 1', 0],
    ['attack on titan season 2', 1],
    ['attack on titan 2nd season', 1],
    ['attack on titan II', 1],
    ['attack on titan 2', 1],
    ['attack on titan part 2', 1],
    ['attack on titan s2', 1],
    ['attack on titan s3 part 2', 2],
    ['gintama', 4],
    ["gintama'", 5],
    ['hunter × hunter', 6],
    ['hunter x hunter 2011', 7],
    ['toukyou guuru', undefined],
    ['toukyou ghoul', 8],
    ['東京喰種 トーキョーグール', 8],
    ['steins gate', 9],
    ['シュタインズゲート', 9],
    ['ｓｔｅｉｎｓ　ｇａｔｅ', 9],
    ['your name', 11],
    ['너의 이름은', 11],
    ['★★★', 12],
    ['سَلام', 12],
    ['k', 13],
  ])('%s', (query, row) => {
    const match = first(query)
    if (row === undefined) expect(match?.quality).not.toBe('exact')
    else expect(match).toMatchObject({ row, quality: 'exact', queryCoverage: 1, titleCoverage: 1 })
  })
})

describe('the order', () => {
  test('is exact, prefix, words, fuzzy', () => {
    const qualities = index.match('attack on titan', 10).map(({ quality }) => quality)
    expect(qualities[0]).toBe('exact')
    expect(qualities.slice(1)).toContain('prefix')
    const ranks = qualities.map((quality) => ['exact', 'prefix', 'words', 'fuzzy'].indexOf(quality))
    expect(ranks).toEqual(ranks.toSorted())
  })

  test('has a row once, with its best title', () => {
    const rows = rowsOf('shingeki no kyojin')
    expect(new Set(rows).size).toBe(rows.length)
    expect(first('attack on titan')).toMatchObject({ title: 'Attack on Titan', kind: 'english' })
  })

  test('has the main title before others of the same text', () => {
    const twins = indexOf(['B', ['other', 'Twin']], ['A', ['english', 'Twin']], ['Twin'])
    expect(twins.match('twin', 5).map(({ row }) => row)).toEqual([2, 1, 0])
  })

  test('has no later season where the first is requested', () => {
    const index = createTitleIndex(
      ['Overlord II', 'Overlord'].map((text, row) => ({ row, text, kind: 'main' as const })),
    )
    const [one, other] = index.match('overlord season 1', 5)
    expect([one?.row, other?.quality]).toEqual([1, 'fuzzy'])
  })

  test('has the main entry before another season that is not requested', () => {
    expect(rowsOf('attack on titan season 9').slice(0, 2)).toEqual([0, 1])
    expect(first('attack on titan season 9')?.quality).toBe('fuzzy')
  })

  test('keeps to the limit', () => {
    expect(index.match('attack on titan', 2)).toHaveLength(2)
    expect(index.match('attack on titan', 0)).toEqual([])
  })

  test('takes the popular where more begin alike than fit', () => {
    const many = createTitleIndex(
      Array.from({ length: 500 }, (_, row) => ({ row, text: `Alpha ${row + 100}`, kind: 'main' })),
    )
    const popularity = new Float32Array(500)
    popularity[321] = 9
    const found = many.match('alpha', 3, popularity).map(({ row }) => row)
    expect(found).toContain(321)
    expect(many.match('alpha', 3).map(({ row }) => row)).not.toContain(321)
  })
})

describe('a first season', () => {
  const works = indexOf(
    ['Demon Slayer'],
    ['Demon Slayer Movie'],
    ['Demon Slayer OVA'],
    ['Demon Slayer Season 2'],
    ['Demon Slayer Specials'],
  )

  test.each(['season 1', 'season one', '1st season', 'first season', 's1'])(
    'is no film: %j',
    (season) => {
      const [best, ...others] = works.match(`demon slayer ${season}`, 5)
      expect(best).toMatchObject({ row: 0, quality: 'exact' })
      expect(others.length).toBeGreaterThan(0)
      const nearest = Math.max(...others.map(({ similarity }) => similarity))
      expect(nearest).toBeLessThan(best?.similarity ?? 0)
    },
  )

  test.each([
    ['season two', 3],
    ['second season', 3],
    ['movie', 1],
    ['one', undefined],
    ['two', undefined],
  ])('is not what %j says', (said, row) => {
    const [best] = works.match(`demon slayer ${said}`, 5)
    expect(best?.quality === 'exact' ? best.row : undefined).toBe(row)
  })
})

describe('small words', () => {
  const works = indexOf(
    ['Ghost in the Shell'],
    ['Ghost in the Shell: Stand Alone Complex'],
    ['No Game No Life'],
    ['Spice and Wolf'],
    ['Spice and Wolf II'],
    ['The Boy and the Heron'],
  )
  const best = (query: string) => works.match(query, 10)[0]

  test.each([
    ['ghost in a shell', 0],
    ['ghost in shell', 0],
    ['ghost of the shell', 0],
    ['the spice and wolf', 3],
    ['spice wolf', 3],
    ['boy and heron', 5],
    ['game of life', undefined],
    ['heron and the boy', undefined],
    ['the shell', undefined],
  ])('of %j may be wrong: %j', (query, row) => {
    const match = best(query)
    const isSure = (match?.similarity ?? 0) >= 0.94
    expect(isSure ? match?.row : undefined).toBe(row)
  })

  test('of a title that is begun may be wrong, too', () => {
    expect(best('ghost in a shell stand alone')?.row).toBe(1)
  })

  test('are no other title', () => {
    expect(works.sameWords('ghost in shell', 5).map(({ row }) => row)).toEqual([0])
    expect(works.sameWords('ghost in shell stand', 5)).toEqual([])
  })
})

describe('part of a title', () => {
  test.each([
    ['shingeki', 'prefix', 0],
    ['attack on', 'prefix', 0],
    ['進撃', 'prefix', 0],
    ['kyojin no shingeki', 'words', 0],
    ['巨人', 'words', 0],
    ['guren yumiya', 'words', 3],
  ])('%s: %s', (query, quality, row) => {
    expect(first(query)).toMatchObject({ quality, row, queryCoverage: 1 })
    expect(first(query)?.titleCoverage).toBeLessThanOrEqual(1)
  })

  test('and a title that is most of the query are distinguished by their coverages', () => {
    const match = index.match('gintama anime', 10).find(({ row }) => row === 4)
    expect(match).toMatchObject({ quality: 'fuzzy', titleCoverage: 1 })
    expect(match?.queryCoverage).toBeCloseTo(7 / 12)
  })
})

describe('typos', () => {
  test.each([
    ['atack on titan', 0],
    ['attack on titna', 0],
    ['attack on titn season 2', 1],
    ['attack on titn s2', 1],
    ['shingekki no kyoujin', 0],
    ['stiens gate', 9],
    ['tokyo goul', 8],
    ['hunter x huntr', 6],
    ['進撃の居人', 0],
    ['kyojn shingeki', 0],
  ])('%s', (query, row) => {
    expect(first(query)).toMatchObject({ quality: 'fuzzy', row })
    expect(first(query)?.similarity).toBeLessThan(1)
  })

  test.each(['zzzzzzzz', 'a boy who fights giants behind walls', 'qwertyuiop', '猫'])(
    'too many for %s',
    (query) => {
      expect(rowsOf(query)).toEqual([])
    },
  )

  test('one anywhere leaves every title of the sample among the first ten', () => {
    const titles = sampleTitles()
    const sample = createTitleIndex(titles)
    // One sign of these is several letters, so that a typo in it is several edits.
    const plain = titles.filter(({ text }) => text.length > 1 && !/[½∀]/.test(text))
    expect(plain.length).toBeGreaterThan(titles.length - 5)
    for (const { row, text } of plain.filter((_, position) => position % 9 === 0)) {
      for (const typo of everyTypo(text).filter((query) => query.trim() !== '')) {
        const rows = sample.match(typo, 10).map((match) => match.row)
        expect(rows, `${text}: ${typo}`).toContain(row)
      }
    }
  })
})

describe('queries that are none', () => {
  test.each([
    ['', []],
    ['   ', []],
    ['?!…', []],
    ['😀', []],
    ['\ud800', []],
    ['\udfff\ud800', []],
    ['\u200f\u202e', []],
    ['עברית', []],
    ['\0', []],
  ])('%j', (query, expected) => {
    expect(rowsOf(query)).toEqual(expected)
    expect(index.complete(query, 10)).toEqual([])
  })

  test.each(['a', '進', '9', 'é'])('one character, %s', (query) => {
    for (const match of index.match(query, 10)) expect(match.similarity).toBeLessThan(1)
  })

  test('10,000 characters', () => {
    for (const query of ['a'.repeat(10_000), 'attack on '.repeat(1000), '進撃'.repeat(5000)]) {
      expect(rowsOf(query).length).toBeLessThanOrEqual(10)
      expect(Array.isArray(index.complete(query, 10))).toBe(true)
    }
  })
})

describe('an index', () => {
  test('of nothing finds nothing', () => {
    const empty = createTitleIndex([])
    expect(empty.titleCount).toBe(0)
    for (const query of ['', 'a', 'attack on titan']) {
      expect([empty.match(query, 5), empty.complete(query, 5)]).toEqual([[], []])
    }
  })

  test('leaves out blank titles and those that a row has twice', () => {
    expect(indexOf(['', ' ', 'A', ['english', 'A'], ['other', 'B']]).titleCount).toBe(2)
  })

  test('holds titles longer than any', () => {
    const long = 'word '.repeat(400)
    const found = indexOf([long], ['other title']).match(long, 5)
    expect(found[0]).toMatchObject({ row: 0, quality: 'exact' })
  })
})

function sampleTitles(): Title[] {
  const file = fileURLToPath(new URL('../../data/sample/anime.jsonl', import.meta.url))
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.flatMap((line, row): Title[] => {
    const entry = JSON.parse(line) as { title: string; titleJapanese?: string }
    const main: Title = { row, text: entry.title, kind: 'main' }
    const native = entry.titleJapanese
    return native === undefined ? [main] : [main, { row, text: native, kind: 'native' }]
  })
}

describe('a year', () => {
  const years = createTitleIndex(
    ['Berserk', 'Berserk (2017)', 'Berserk (1997)'].map((text, row) => ({
      row,
      text,
      kind: 'main' as const,
    })),
  )

  test('of another work is no match, though the rest is the same', () => {
    const similar = new Map(
      years.match('berserk 1997', 5).map(({ row, similarity }) => [row, similarity]),
    )
    expect(similar.get(2)).toBeGreaterThan(0.99)
    expect(similar.get(0)).toBeCloseTo(0.99)
    expect(similar.get(1)).toBeLessThan(0.8)
  })
})
