/** Titles as the interpretation of queries asks for them. */
import { describe, expect, it } from 'vitest'
import { createTitleLookup } from '#synoptic/knowledge/title-lookup.js'
import { createTitleIndex } from '#synoptic/titles/title-index.js'

const titles = [
  'Log Horizon Second Season',
  "Frieren: Beyond Journey's End",
  'Log Horizon',
  'Mushishi',
  'Monster',
  'Mushishi',
  'One Piece',
  'KonoSuba 2',
  'Kono Subarashii Sekai ni Shukufuku wo!',
]
const isMain = Uint8Array.of(0, 1, 1, 0, 1, 1, 1, 0, 1)
const franchises = Int32Array.of(0, -1, 0, 1, -1, 1, -1, 2, 2)
const lookup = createTitleLookup(
  createTitleIndex(titles.map((text, row) => ({ row, text, kind: 'main' as const }))),
  undefined,
  {
    isMain,
    franchises,
    types: new Map(),
    places: new Map(),
    years: new Uint16Array(titles.length),
  },
)
const lookupOf = (titles: readonly string[], popularity?: Float32Array) =>
  createTitleLookup(
    createTitleIndex(titles.map((text, row) => ({ row, text, kind: 'main' as const }))),
    popularity,
    {
      isMain: Uint8Array.from(titles, (_, row) => (row === 1 ? 0 : 1)),
      franchises: new Int32Array(titles.length).fill(-1),
      places: new Map(),
      types: new Map(),
      years: new Uint16Array(titles.length),
    },
  )
/** The rows are one franchise, each of a year of its own, and the first stands for it. */
const lookupOfFranchise = (titles: readonly string[], popularity: Float32Array) =>
  createTitleLookup(
    createTitleIndex(titles.map((text, row) => ({ row, text, kind: 'main' as const }))),
    popularity,
    {
      isMain: Uint8Array.from(titles, (_, row) => (row === 0 ? 1 : 0)),
      franchises: new Int32Array(titles.length),
      places: new Map(),
      types: new Map([['tv', Uint32Array.from(titles.keys())]]),
      years: Uint16Array.from(titles, (_, row) => 2000 + row),
    },
  )
const first = (text: string) => lookup.match(text)[0]

describe('brand', () => {
  const titles = Array.from({ length: 9 }, (_, row) => `Kaiju Force ${row}`)
  const facts = {
    isMain: new Uint8Array(9).fill(1),
    franchises: new Int32Array(9).fill(-1),
    types: new Map(),
    places: new Map(),
    years: new Uint16Array(9),
  }
  const index = createTitleIndex(titles.map((text, row) => ({ row, text, kind: 'main' as const })))
  const brandOf = (word: string, texts: number) =>
    createTitleLookup(index, undefined, facts, () => new Uint32Array(texts)).brand?.(word)

  it('is a word of many titles that few other texts have', () => {
    expect(brandOf('kaiju', 18)).toHaveLength(9)
    expect(brandOf('kaiju', 19)).toEqual([])
    expect(brandOf('mushishi', 1)).toEqual([])
  })
})

describe('isWord', () => {
  it('tells words that several works have, and knows none without their texts', () => {
    const works = new Map([
      ['printing', [0, 3, 5]],
      ['mistery', [4]],
    ])
    const facts = {
      isMain,
      franchises,
      types: new Map(),
      places: new Map(),
      years: new Uint16Array(titles.length),
    }
    const { isWord } = createTitleLookup(createTitleIndex([]), undefined, facts, (word) =>
      Uint32Array.from(works.get(word) ?? []),
    )
    expect(['printing', 'mistery', 'pritning'].map((word) => isWord?.(word))).toEqual([
      true,
      false,
      false,
    ])
    expect(lookup.isWord?.('mushishi')).toBe(false)
  })
})

describe('exact', () => {
  it.each(['mushishi', 'MUSHISHI', ' Mushishi! '])('finds all rows that are %j', (text) => {
    expect(lookup.exact(text).map(({ row }) => row)).toEqual([5, 3])
  })

  it.each(['mushi', 'mushihsi', 'frieren', 'log horizon third', ''])('%j finds none', (text) => {
    expect(lookup.exact(text)).toEqual([])
  })
})

describe('known', () => {
  const named = createTitleLookup(
    createTitleIndex(
      ["JoJo's Bizarre Adventure", 'Tokyo Ghoul', 'Monster', 'Moon'].map((text, row) => ({
        row,
        text,
        kind: 'main' as const,
      })),
    ),
    Float32Array.of(3, 5, 2, 0.5),
    {
      isMain: Uint8Array.of(1, 1, 1, 1),
      franchises: new Int32Array(4).fill(-1),
      places: new Map(),
      types: new Map(),
      years: new Uint16Array(4),
    },
    // Tokyo is in more of the texts than a name is.
    (word) => Uint32Array.from(word === 'tokyo' ? [0, 1, 2, 3] : [0]),
  )
  const known = (text: string) => named.known?.(text).map(({ row }) => row)

  it('are well-known works by one word, and any by several', () => {
    expect(known('jojo')).toEqual([0])
    expect(known('monster')).toEqual([2])
    expect(known('tokyo ghoul')).toEqual([1])
  })

  it('are sure where hardly any text has their one word', () => {
    const sure = (text: string) => named.sure?.(text).map(({ row }) => row)
    expect(sure('tokyo ghoul')).toEqual([1])
    expect(['monster', 'jojo', 'tokyo'].map(sure)).toEqual([[], [], []])
  })

  it.each(['tokyo', 'moon', 'jo', 'ghoul hunters of the moon', ''])('are none by %j', (text) => {
    expect(known(text)).toEqual([])
  })
})

describe('match', () => {
  it('has the title that stands for its franchise before the other of the same name', () => {
    expect(lookup.match('mushishi').map(({ row }) => row)).toEqual([5, 3])
  })

  it('has the title before its sequel, in whatever order the rows are', () => {
    const [main, sequel] = lookup.match('log horizon')
    expect([main?.row, main?.similarity]).toEqual([2, 1])
    expect(sequel?.row).toBe(0)
    expect(sequel?.similarity).toBeLessThan(1)
  })

  it('has the work that stands for a series whose name only a season bears', () => {
    expect(lookup.match('konosuba').map(({ row }) => row)).toEqual([8, 7])
    expect(first('konosuba')?.title).not.toBe('KonoSuba 2')
    expect(first('konosuba 2')?.row).toBe(7)
  })

  it('has a film before its series where only the film has all words', () => {
    const words = lookupOfFranchise(
      ['Demon Slayer: Kimetsu no Yaiba', 'Demon Slayer: Kimetsu no Yaiba Movie - Mugen Train'],
      Float32Array.of(4, 3),
    )
    expect(words.match('demon slayer mugen train')[0]?.row).toBe(1)
  })

  it('has the season that is counted, where no title counts it', () => {
    const seasons = lookupOfFranchise(
      ['Kaguya: Love is War', 'Kaguya: Love is War?', 'Kaguya: Ultra Romantic'],
      Float32Array.of(4, 3, 2),
    )
    expect(seasons.match('kaguya love is war season 3')[0]?.row).toBe(2)
    expect(seasons.match('kaguya love is war s2')[0]).toMatchObject({ row: 1, similarity: 0.98 })
    expect(seasons.match('kaguya love is war season 4')[0]?.row).not.toBe(2)
    expect(seasons.match('nobody season 2')).toEqual([])
  })

  it('has the work of the year that is typed after the title', () => {
    const remade = lookupOfFranchise(
      ['Berserk', 'Berserk', 'Berserk (2017)'],
      Float32Array.of(3, 1, 2),
    )
    expect(remade.match('berserk 2001').map(({ row }) => row)).toEqual([1, 0, 2])
    expect(remade.match('berserk 2000')[0]?.row).toBe(0)
    // Nothing is of that year.
    expect(remade.match('berserk 1997')[0]).toMatchObject({ row: 0, similarity: 0.99 })
  })

  it('takes no year for a typo of another number', () => {
    const titles = ['Monster Voyage', 'Monster Voyage 02', 'Spirit Hunt 100']
    const numbered = lookupOfFranchise(titles, Float32Array.of(3, 2, 1))
    expect(numbered.match('monster voyage 2020').map(({ row }) => row)).not.toContain(1)
    // They are of that year.
    expect(numbered.match('monster voyage 2001')[0]?.row).toBe(1)
    expect(numbered.match('monster voyage 02')[0]?.row).toBe(1)
    expect(numbered.match('monster voyage 2')[0]?.row).toBe(1)
    expect(numbered.match('spirit hunt 100 2002')[0]?.row).toBe(2)
  })

  it('has a film that bears a name of its own before its series', () => {
    const titles = ['Stay Night', 'Stay Night Part 2', "Heaven's Feel 1"]
    const films = createTitleLookup(
      createTitleIndex(titles.map((text, row) => ({ row, text, kind: 'main' as const }))),
      Float32Array.of(4, 3, 3),
      {
        isMain: Uint8Array.of(1, 0, 0),
        franchises: new Int32Array(3),
        places: new Map(),
        types: new Map([
          ['tv', Uint32Array.of(0, 1)],
          ['movie', Uint32Array.of(2)],
        ]),
        years: Uint16Array.of(2000, 2001, 2002),
      },
    )
    expect(films.match('heavens feel')[0]?.row).toBe(2)
  })

  it('takes no short word for a part of a title that is a typo away', () => {
    const names = lookupOf(
      ['Kuroko no Basuke', 'Other', 'Evangelion of Old'],
      Float32Array.of(4, 4, 4),
    )
    for (const { similarity } of names.match('sasuke')) expect(similarity).toBeLessThan(0.8)
    expect(names.match('evangellion')[0]?.similarity).toBe(0.86)
  })

  it('undoes typos in a part of a well-known title, of words that are none', () => {
    const titles = [
      'Demon Slayer: Kimetsu no Yaiba',
      'Other',
      'Evangelion of the New Age',
      'Bleach',
    ]
    const typos = lookupOf(titles, Float32Array.of(4, 4, 4, 4))
    expect(typos.match('demon slyer')[0]).toMatchObject({ row: 0 })
    expect(typos.match('demon slyer')[0]?.similarity).toBeCloseTo(0.959)
    expect(typos.match('bleech')[0]).toMatchObject({ row: 3, similarity: 0.96 })
    // A word of several is less sure.
    expect(typos.match('evangellion')[0]).toMatchObject({ row: 2, similarity: 0.86 })
    const unknown = lookupOf(titles, Float32Array.of(0, 4, 4, 4))
    expect(unknown.match('demon slyer')[0]?.similarity ?? 0).toBeLessThan(0.8)
  })

  it('has the whole title before another of the franchise, with a typo, too', () => {
    const remade = lookupOfFranchise(
      ['Steel Alchemist (2009)', 'Steel Alchemist'],
      Float32Array.of(5, 4),
    )
    expect(remade.match('steel alchmist').map(({ row }) => row)).toEqual([1, 0])
  })

  it('has the best known of titles that have a word', () => {
    const found = lookupOf(
      ['Slimes and I', 'Other', 'Reborn as a Slimes'],
      Float32Array.of(2, 1, 5),
    )
    expect(found.match('slimes').map(({ row }) => row)).toEqual([2, 0])
  })

  it('takes a rare word for the title that has it, less surely than the whole title', () => {
    expect(first('frieren')).toMatchObject({ row: 1, similarity: 0.86 })
    expect(first("Frieren: Beyond Journey's End")).toMatchObject({ row: 1, similarity: 1 })
  })

  it('takes several words before a subtitle for the whole title', () => {
    const subtitled = lookupOf([
      'Demon Slayer: Kimetsu no Yaiba',
      'Demon Slayer: Swordsmith',
      'Frieren: End',
    ])
    expect(subtitled.match('demon slayer')[0]).toMatchObject({ row: 0, similarity: 0.99 })
    expect(subtitled.match('frieren')[0]?.similarity).toBe(0.86)
  })

  it('takes four letters for a title of a well-known work alone', () => {
    const titles = ["JoJo's Bizarre Adventure", 'Jojolion of Nobody']
    const known = lookupOf(titles, Float32Array.of(4, 1)).match('jojo')
    expect(known[0]).toMatchObject({ row: 0, similarity: 0.86 })
    expect(known[1]?.similarity).toBeLessThan(0.8)
    expect(lookupOf(titles).match('jojo')[0]?.similarity).toBeLessThan(0.8)
  })

  it('takes two words that begin a well-known title for it', () => {
    const titles = ['My Hero Academia', 'My Home Hero', 'My Hero of Nobody']
    const known = lookupOf(titles, Float32Array.of(4, 4, 1)).match('my hero')
    expect(known[0]).toMatchObject({ row: 0, similarity: 0.92 })
    expect(known[1]?.similarity).toBe(0.86)
    expect(lookupOf(titles).match('my hero')[0]?.similarity).toBe(0.86)
  })

  it('is no surer of a title for a short part of it', () => {
    for (const { similarity } of lookup.match('one')) expect(similarity).toBeLessThan(0.8)
  })

  it('forgives a typo, and finds nothing near in other words', () => {
    expect(first('mushihsi')?.title).toBe('Mushishi')
    for (const { similarity } of lookup.match('a cook in space')) {
      expect(similarity).toBeLessThan(0.8)
    }
  })
})

describe('withWords', () => {
  const rare = Array.from({ length: 2000 }, (_, row) => `Title ${row}`)
  const wordsOf = (titles: readonly string[], popularity: readonly number[]) =>
    lookupOf([...titles, ...rare], Float32Array.of(...popularity, ...rare.map(() => 0)))
  const named = wordsOf(
    ['Chainsaw Man', 'Spare', 'Reborn in the Far Land of a Chainsaw'],
    [5, 0, 5],
  )

  it('finds a well-known work of whose title a rare word is much', () => {
    const [only, ...others] = named.withWords?.(['chainsaw']) ?? []
    expect(only).toMatchObject({ row: 0, title: 'Chainsaw Man' })
    expect(only?.similarity).toBeGreaterThan(0.7)
    expect(others).toEqual([])
  })

  it('is less sure where the work is less known, and finds none that few know', () => {
    const similarityOf = (popularity: number) =>
      wordsOf(['Chainsaw Man'], [popularity]).withWords?.(['chainsaw'])[0]?.similarity
    expect(similarityOf(2)).toBeLessThan(similarityOf(5) ?? NaN)
    expect(similarityOf(1)).toBeUndefined()
  })

  it.each(['title', 'chainsaws', 'spare', ''])('%j names none', (word) => {
    expect(named.withWords?.([word])).toEqual([])
  })

  it('is less strict of two words that stand together', () => {
    const words = wordsOf(['Reborn as a Vending Machine'], [0.5])
    expect(words.withWords?.(['vending'])).toEqual([])
    expect(words.withWords?.(['vending', 'machine'])).toMatchObject([{ row: 0 }])
  })

  it('finds none by a word that many works tell, nor by one that none does', () => {
    const counts: Readonly<Record<string, number>> = { chainsaw: 20, beginning: 400 }
    const titles = ['Chainsaw Man', 'Spare', 'The Beginning', 'Cant']
    const told = createTitleLookup(
      createTitleIndex(
        [...titles, ...rare].map((text, row) => ({ row, text, kind: 'main' as const })),
      ),
      Float32Array.of(5, 5, 5, 5, ...rare.map(() => 0)),
      {
        isMain: new Uint8Array(titles.length + rare.length).fill(1),
        franchises: new Int32Array(titles.length + rare.length).fill(-1),
        places: new Map(),
        types: new Map(),
        years: new Uint16Array(titles.length + rare.length),
      },
      (word) => new Uint32Array(counts[word] ?? 0).map((_, row) => row),
    )
    expect(told.withWords?.(['chainsaw'])).toMatchObject([{ row: 0 }])
    expect(told.withWords?.(['beginning'])).toEqual([])
    expect(told.withWords?.(['cant'])).toEqual([])
  })
})

describe('the beginning of a title', () => {
  const titles = ['Kuroko no Basket', 'Kuroko Season', 'Densetsu no Yuusha', 'Kurokoma', 'Basket']
  const known = lookupOf(titles, Float32Array.of(4, 4, 4, 4, 0.1))
  it.each([
    ['kuroko', ['Kuroko no Basket']],
    ['kuroko no', ['Kuroko no Basket']],
    ['dense', []],
    ['basket', []],
    ['', []],
  ])('%j names %j', (text, named) => {
    expect(known.heads?.(text).map(({ title }) => title)).toEqual(named)
  })
})

describe('a title of which a word is wrong', () => {
  const children = ['Children of the Sea', 'Children of the Whales', 'Your Lie in April']
  const more = [...children, 'Children of the Wolves']
  const rowsOf = (titles: readonly string[], text: string) =>
    lookupOf(titles)
      .misremembered?.(text)
      .map(({ row }) => row)

  it('is as sure as the least of whole titles', () => {
    const [found] = lookupOf(children).misremembered?.('your lie in may') ?? []
    expect(found).toEqual({ row: 2, title: 'Your Lie in April', similarity: 0.9 })
  })

  it('may be of two series', () => {
    expect(rowsOf(children, 'children of the lake')).toEqual([0, 1])
  })

  it('is none where more series without a franchise have its form', () => {
    expect(rowsOf(more, 'children of the lake')).toEqual([])
  })

  it('is none with too few words that are right, or too common ones', () => {
    expect(rowsOf(children, 'your truth')).toEqual([])
    expect(rowsOf(['Knights of Sidonia', 'Blue Knights', 'Knights'], 'knights of saturn')).toEqual(
      [],
    )
  })
})

describe('words with marks', () => {
  const titles = ['Pokémon the Movie: Mewtwo', 'Cafe\u0301 Stories: Nights']
  const { heads } = lookupOf(titles, Float32Array.of(5, 5))

  it.each(['pokemon the movie', 'pokémon the movie', 'poke\u0301mon the movie'])(
    '%j begins the title that has them, too',
    (text) => {
      expect(heads?.(text).map(({ row }) => row)).toEqual([0])
    },
  )
})

describe('characters', () => {
  const others = Array.from({ length: 198 }, (_, at) => `Work ${at}`)
  const titlesOfAll = ['Five Brides', 'Yotsuba to', 'Nakano', ...others]
  const lookupWith = (...popularity: readonly number[]) =>
    createTitleLookup(
      createTitleIndex(titlesOfAll.map((text, row) => ({ row, text, kind: 'main' as const }))),
      Float32Array.from(titlesOfAll, (_, row) => popularity[row] ?? 0),
      {
        isMain: new Uint8Array(titlesOfAll.length).fill(1),
        franchises: new Int32Array(titlesOfAll.length).fill(-1),
        places: new Map(),
        types: new Map(),
        years: new Uint16Array(titlesOfAll.length),
        characters: new Map([['Yotsuba Nakano', Uint32Array.of(0)]]),
      },
      (word) => Uint32Array.from(word === 'yotsuba' ? [1] : word === 'nakano' ? [2] : []),
    )
  const nameIn = (popularity: readonly number[], ...words: readonly string[]) =>
    lookupWith(...popularity).characters?.(words)?.name

  it('are none where a word begins the title of another work, if theirs is not much better known', () => {
    expect(nameIn([4, 3.9], 'yotsuba')).toBeUndefined()
    expect(nameIn([4, 2.5], 'yotsuba')).toBe('Yotsuba Nakano')
    expect(nameIn([4, 3.9], 'yotsuba', 'nakano')).toBe('Yotsuba Nakano')
    expect(nameIn([4, 3.9, 3.9], 'nakano')).toBe('Yotsuba Nakano')
  })
})
