/** Which works of a series a query means that names it and its place in it. */
import { describe, expect, it } from 'vitest'
import { createNearTitles } from '#synoptic/search/knowledge/near-titles.js'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'
import { factsOf, work } from '../facts/make-facts.js'

interface Made {
  readonly titles: readonly string[]
  readonly type: string
  readonly year: number
  readonly relation: string
  readonly franchise?: string
}

const made: readonly Made[] = [
  { titles: ['Titans', 'TT'], type: 'tv', year: 2013, relation: 'main', franchise: 'titans' },
  {
    titles: ['Titans: Junior High'],
    type: 'tv',
    year: 2022,
    relation: 'spin-off',
    franchise: 'titans',
  },
  { titles: ['Titans: After'], type: 'tv', year: 2017, relation: 'sequel', franchise: 'titans' },
  {
    titles: ['Titans: The Final Season'],
    type: 'tv',
    year: 2020,
    relation: 'sequel',
    franchise: 'titans',
  },
  {
    titles: ['Titans Movie: Bow'],
    type: 'movie',
    year: 2015,
    relation: 'film',
    franchise: 'titans',
  },
  {
    titles: ['Titans: No Regrets'],
    type: 'ova',
    year: 2014,
    relation: 'side-story',
    franchise: 'titans',
  },
  {
    titles: ['Titans Picture Drama'],
    type: 'special',
    year: 2014,
    relation: 'special',
    franchise: 'titans',
  },
  { titles: ['Ghosts', 'GITS'], type: 'movie', year: 1995, relation: 'main', franchise: 'ghosts' },
  {
    titles: ['Ghosts: Stand Alone'],
    type: 'tv',
    year: 2002,
    relation: 'spin-off',
    franchise: 'ghosts',
  },
  { titles: ['Ghosts 2045'], type: 'ona', year: 2020, relation: 'spin-off', franchise: 'ghosts' },
  { titles: ['Rabbits'], type: 'tv', year: 2019, relation: 'main', franchise: 'rabbits' },
  { titles: ['Rabbits Return'], type: 'tv', year: 2021, relation: 'sequel', franchise: 'rabbits' },
  {
    titles: ['Kaguya wants to be told'],
    type: 'tv',
    year: 2019,
    relation: 'main',
    franchise: 'kaguya',
  },
  { titles: ['Ultra Romance'], type: 'tv', year: 2022, relation: 'sequel', franchise: 'kaguya' },
  { titles: ['Monster'], type: 'tv', year: 2004, relation: 'main' },
  { titles: ['Shells'], type: 'movie', year: 1995, relation: 'main', franchise: 'shells' },
  { titles: ['Shells 2'], type: 'movie', year: 2004, relation: 'film', franchise: 'shells' },
  {
    titles: ['Shells: The Last'],
    type: 'movie',
    year: 2012,
    relation: 'film',
    franchise: 'shells',
  },
  { titles: ['Shells: Alone'], type: 'tv', year: 2002, relation: 'spin-off', franchise: 'shells' },
  {
    titles: ['Shells: Alone 2nd Gig'],
    type: 'tv',
    year: 2005,
    relation: 'spin-off',
    franchise: 'shells',
  },
]
const facts = factsOf(
  made.map(({ type, year, relation, franchise }) =>
    work({ type, year, relation, ...(franchise && { franchise }) }),
  ),
  Float32Array.from(made, (_, row) => 5 - row / 10),
)
const lookup = createNearTitles(
  createTitleIndex(
    made.flatMap(({ titles }, row) =>
      titles.map((text, at) => ({
        row,
        text,
        kind: at === 0 ? ('main' as const) : ('other' as const),
      })),
    ),
  ),
  facts.popularity,
  facts,
  () => false,
)
/** The titles of the rows that are as sure as the first. */
const named = (text: string) => {
  const found = lookup.match(text)
  const best = found[0]?.similarity ?? 0
  if (best < 0.9) return []
  return found
    .filter(({ similarity }) => similarity === best)
    .map(({ row }) => made[row]?.titles[0])
}

describe('a part of a series', () => {
  it.each([
    ['titans second season', ['Titans: After']],
    ['TT season 2', ['Titans: After']],
    ['tt s2', ['Titans: After']],
    ['second season of titans', ['Titans: After']],
    ['kaguya wnats to be told season 2', ['Ultra Romance']],
    ['tt final season', ['Titans: The Final Season']],
    ['the final season of tt', ['Titans: The Final Season']],
    ['rabbits final season', ['Rabbits Return']],
    ['tt movie', ['Titans Movie: Bow']],
    ['movie of titans', ['Titans Movie: Bow']],
    ['titans ova', ['Titans: No Regrets']],
    ['titans special', ['Titans Picture Drama']],
    ['gits 2045', ['Ghosts 2045']],
    ['gits stand alone', ['Ghosts: Stand Alone']],
    ['gits 2002', ['Ghosts: Stand Alone']],
    ['gits original', ['Ghosts']],
    ['titans old', ['Titans']],
    ['tt junior high', ['Titans: Junior High']],
    ['titans 最終', ['Titans: The Final Season']],
    ['titans ファイナルシーズン', ['Titans: The Final Season']],
    ['tt 二期', ['Titans: After']],
    ['tt 第二期', ['Titans: After']],
    ['titans 第2期', ['Titans: After']],
    ['titans 映画', ['Titans Movie: Bow']],
    ['titans スペシャル', ['Titans Picture Drama']],
    ['titans junior high arc', ['Titans: Junior High']],
    ['titans arc in the junior high', ['Titans: Junior High']],
    ['first titans movie', ['Titans Movie: Bow']],
    ['shells second season', ['Shells: Alone 2nd Gig']],
    ['shells second movie', ['Shells 2']],
    ['shells the last movie', ['Shells: The Last']],
    ['shells 2', ['Shells 2']],
    ['shells second gig', ['Shells: Alone 2nd Gig']],
    ['titans first movie', ['Titans Movie: Bow']],
    ['first movie of titans', ['Titans Movie: Bow']],
  ])('%j is %j', (text, titles) => {
    expect(named(text)).toEqual(titles)
  })

  it.each([
    ['titans sequel', ['Titans: After', 'Titans: The Final Season']],
    ['tt sequels', ['Titans: After', 'Titans: The Final Season']],
    ['sequel to titans', ['Titans: After', 'Titans: The Final Season']],
    ['the sequel of titans after', ['Titans: The Final Season']],
    ['titans spin-off', ['Titans: Junior High']],
    ['titans spinoffs', ['Titans: Junior High']],
    ['titans side story', ['Titans: No Regrets']],
  ])('%j follows its relation: %j', (text, wanted) => {
    expect(named(text)).toEqual(wanted)
  })

  it.each([
    'titans arc',
    'third titans movie',
    'first titans',
    'titans prequel',
    'titans junior high sequel',
    'sequel',
    'sequel to nobody',
  ])('%j is no place that any has', (text) => {
    expect(named(text)).toEqual([])
  })

  it.each([
    'tt season 5',
    'gits season 3',
    'rabbits movie',
    'monster movie',
    'tt with a girl',
    'gits of the north',
    'season 2',
    'final season',
    'nobody final season',
    'second season of nobody',
    'tt 五期',
    'nobody 最終',
    'tt 期',
  ])('%j names none', (text) => {
    expect(named(text)).toEqual([])
  })

  it('has another OVA where there is no special, and the other way round', () => {
    const [ova] = lookup.match('titans ovas')
    expect(made[ova?.row ?? -1]?.type).toBe('ova')
  })

  it('comes after a title with a typo', () => {
    expect(lookup.match('titans the finl season')[0]).toMatchObject({
      title: 'Titans: The Final Season',
    })
  })

  it('is not sought in a long text', () => {
    expect(named(`titans season 2 ${'and then more '.repeat(4)}`)).toEqual([])
  })

  it('leaves an exact title as it is', () => {
    expect(lookup.match('Rabbits Return')[0]).toMatchObject({
      similarity: 1,
      title: 'Rabbits Return',
    })
  })
})
