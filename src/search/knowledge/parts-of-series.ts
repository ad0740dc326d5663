/** Which works of a series a query means that names it and one of its parts: `clannad second season`, `aot ova`, `gits 2045`. */
import type { DatasetFacts, NamedRows } from '../facts/dataset-facts.js'
import { foldWords } from '../../base/text/fold-words.js'
import type { TitleIndex } from '../../data/titles/title-index.js'
import { isTellingWord } from '../../base/text/small-words.js'
import { ordinalOf, type Season, splitSeason } from '../../data/titles/split-season.js'
import { constants } from '../../base/constants/constants.js'
import { getOrAdd } from '../../base/util/get-or-add.js'

/** A title that a text is or nearly is. */
export interface NearTitle {
  readonly row: number
  readonly title: string
  /** 0 to 1; 1 for the same title. */
  readonly similarity: number
}

export type SeriesFacts = Pick<DatasetFacts, 'types' | 'years' | 'franchises' | 'relations'>

type Lookup = (text: string) => readonly NearTitle[]

export interface PartsOfSeries {
  /**
   * The works that a text names, the best known first; none where it names all of a series, or nothing in it.
   * @param exact finds titles as they are spelt
   * @param near finds the nearest titles
   */
  match(text: string, exact: Lookup, near: Lookup): readonly NearTitle[]
  /** Whether a row is of a type that seasons have; each is where no type is known. */
  isSeason(row: number): boolean
}

/** Queries of more words describe a story. */
const maxWords = 12
/** Types of seasons, and relations to a franchise that no season has. */
const seasonTypes = ['tv', 'ona']
const sideStoryRelations = ['prequel', 'spin_off', 'side_story', 'special', 'recap', 'remake']
/** Words after a name, for what was made first and for the season that ends the story. */
const firstWords = new Set(['first', 'original', 'old', 'classic', 'first one', 'old one'])
const lastWords = new Set(['last season', 'final season', 'newest season', 'latest season'])
/** Words after a part of a story: `entertainment district arc`. */
const arcWords = new Set(['arc', 'arcs', 'saga'])
const isArc = (word: string): boolean => arcWords.has(word)
const filmWords = new Set(['movie', 'film'])
/** Words for relations to a franchise. */
const relationWords: ReadonlyMap<string, string> = new Map([
  ['sequel', 'sequel'],
  ['prequel', 'prequel'],
  ['remake', 'remake'],
  ['spin off', 'spin_off'],
  ['spinoff', 'spin_off'],
  ['side story', 'side_story'],
])
/** Japanese words for parts, as they are said in English. */
const japaneseParts: ReadonlyMap<string, string> = new Map([
  ...['最終', '最終章', '最終期', '完結編', 'ファイナル', 'ファイナルシーズン'].map(
    (word) => [word, 'final season'] as const,
  ),
  ['映画', 'movie'],
  ['スペシャル', 'special'],
  ['特別編', 'special'],
  ['続編', 'sequel'],
  ['スピンオフ', 'spin off'],
])
const digitsOf = new Map([
  ['first', '1st'],
  ['second', '2nd'],
  ['third', '3rd'],
  ['fourth', '4th'],
])
const japaneseNumbers = '一二三四五六七八九'

/** `最終` is the final season, and `第二期` the second. */
function inEnglish(word: string): readonly string[] {
  const [, number] = /^第?([一二三四五六七八九])[期季]$/.exec(word) ?? []
  if (number !== undefined) return ['season', String(japaneseNumbers.indexOf(number) + 1)]
  return (japaneseParts.get(word) ?? word).split(' ')
}

/** A longer rest is a story, and no part of a title. */
const maxPartWords = 5

/** Whether the words name a type of work. */
const isOfKind = (kind: Season['kind']): boolean => kind !== 'none' && kind !== 'final'

/** `of naruto` of `third movie of naruto`. */
const nameOf = (words: readonly string[]): string => words.join(' ').replace(/^(?:of|in) /, '')

/** `third heavens feel movie` and `heavens feel third movie` alike. */
function withOrdinalFirst(given: readonly string[]): readonly string[] {
  const [ordinal = '', last = ''] = given.slice(-2)
  if (given.length > 2 && filmWords.has(last) && ordinalOf(ordinal) > 0)
    return [ordinal, ...given.slice(0, -2), last]
  return given[0] === 'the' ? given.slice(1) : given
}

export function createPartsOfSeries(
  { types, years, franchises, relations }: SeriesFacts,
  popularity: Float32Array | undefined,
  titles: Pick<TitleIndex, 'titled'>,
): PartsOfSeries {
  const members = new Map<number, number[]>()
  franchises.forEach((franchise, row) => {
    if (franchise >= 0) getOrAdd(members, franchise, () => []).push(row)
  })
  const rowsOf = (lists: NamedRows, values: readonly string[]) =>
    new Set(values.flatMap((value) => [...(lists.get(value) ?? [])]))
  const seasons = rowsOf(types, seasonTypes)
  const films = rowsOf(types, ['movie'])
  const others = rowsOf(relations, sideStoryRelations)
  const seasonsOf = (rows: readonly number[]) => {
    const all = rows.filter((row) => seasons.has(row))
    const own = all.filter((row) => !others.has(row))
    // Stand Alone Complex is next to a film.
    return dated(own.length > 0 ? own : all)
  }
  const yearOf = (row: number) => years[row] ?? 0
  const byYear = (one: number, other: number) => yearOf(one) - yearOf(other) || one - other
  const known = (row: number) => (popularity?.[row] ?? 0) || 0
  const byFame = (one: number, other: number) => known(other) - known(one) || one - other
  const seriesOf = (row: number) => members.get(franchises[row] ?? -1) ?? []
  const dated = (rows: readonly number[]) => rows.filter((row) => yearOf(row) > 0).sort(byYear)

  /** The rows of a row's franchise that words name by number or kind alone: `second season`, `movie`. */
  function counted(row: number, given: readonly string[]): readonly number[] {
    const words = given.flatMap(inEnglish)
    const series = seriesOf(row)
    if (series.length < 2 || words.length === 0 || words.length > maxPartWords) return []
    const text = words.join(' ').replace(/^the /, '')
    if (firstWords.has(text)) return dated(series).slice(0, 1)
    if (lastWords.has(text)) return finalOf(series)
    const relation = relationWords.get(text.replace(/s$/, ''))
    if (relation !== undefined) return related(row, relation, series)
    const { base, season } = splitSeason(['', ...words])
    if (base.length > 1) return []
    const { number, kind, year } = season
    const found = ofKind(kind, series).filter((member) => year === 0 || yearOf(member) === year)
    // `gintama the very final movie` is the one of that name.
    if (number === 0 && isOfKind(kind) && found.includes(row)) return [row]
    if (number === 0) return found.length < series.length ? found.sort(byFame) : []
    const nth = (isOfKind(kind) ? dated(found) : seasonsOf(found))[number - 1]
    return nth === undefined ? [] : [nth]
  }

  /** Those of a relation, as they were made; sequels are later than what they continue. */
  function related(row: number, relation: string, series: readonly number[]): readonly number[] {
    const ofRelation = new Set(relations.get(relation))
    const found = dated(series.filter((member) => member !== row && ofRelation.has(member)))
    if (relation !== 'sequel') return found
    return others.has(row) ? [] : found.filter((member) => yearOf(member) > yearOf(row))
  }

  /** An OVA is often called a special, and the other way round. */
  function ofKind(kind: Season['kind'], series: readonly number[]): readonly number[] {
    if (!isOfKind(kind)) return series
    const found = [kind, 'ova', 'special'].map((type) => {
      const rows = new Set(types.get(type))
      return series.filter((row) => rows.has(row))
    })
    const [same = [], ...alike] = found
    const isExtra = kind === 'ova' || kind === 'special'
    return same.length > 0 || !isExtra ? same : alike.flat()
  }

  /** What is called the final season, else the last one that was broadcast. */
  function finalOf(series: readonly number[]): readonly number[] {
    const named = withWords(series, ['final', 'season'])
    if (named.length > 0) return named
    return seasonsOf(series).slice(-1)
  }

  /** `second gig` is written `2nd GIG`, too. */
  function withWords(series: readonly number[], words: readonly string[]): readonly number[] {
    const inDigits = words.map((word) => digitsOf.get(word) ?? word)
    const rows = new Set([...titles.titled(words), ...titles.titled(inDigits)])
    return series.filter((row) => rows.has(row)).sort(byFame)
  }

  /** The same, or the rows whose titles have all the words: `stand alone complex`. */
  function named(row: number, words: readonly string[]): readonly number[] {
    const found = counted(row, words)
    const series = seriesOf(row)
    const given = words.filter((word) => isTellingWord(word) && !isArc(word))
    const isPart = given.length > 0 && given.length <= maxPartWords
    if (found.length > 0 || series.length < 2 || !isPart) return found
    const rows = withWords(series, given)
    const others = rows.filter((other) => other !== row)
    if (words.some(isArc)) return rows.length < series.length ? rows : []
    return others.length < series.length - 1 ? others : []
  }

  /** `third heavens feel movie` and `second rebuild of evangelion`, where a title ends with the number. */
  function ordered(given: readonly string[], exact: Lookup): readonly number[] {
    const [first = '', ...others] = withOrdinalFirst(given)
    const number = /^\d+$/.test(first) ? 0 : ordinalOf(first)
    const name = others.filter((word) => !filmWords.has(word))
    const isFilm = name.length < others.length
    if (number === 0 || name.length === 0 || (number === 1 && !isFilm)) return []
    const rows = exact([...name, ...(number > 1 ? [number] : [])].join(' ')).map(({ row }) => row)
    const fitting = [...new Set(rows)].filter((row) => !isFilm || films.has(row))
    const [series] = isFilm && fitting.length === 0 ? exact(nameOf(name)) : []
    return series ? counted(series.row, ['movie', 'part', String(number)]) : fitting
  }

  function match(text: string, exact: Lookup, near: Lookup): readonly NearTitle[] {
    const words = foldWords(text, maxWords + 1)
    if (words.length > maxWords) return []
    const given = words.map(({ word }) => word)
    const matchesOf = (rows: readonly number[], similarity = 1) =>
      rows.map((row): NearTitle => ({ row, title: text.trim(), similarity }))
    for (let cut = words.length - 1; cut > 0; cut -= 1) {
      const [name] = exact(text.slice(0, words[cut]?.begin))
      const rows = name ? named(name.row, given.slice(cut)) : []
      if (rows.length > 0) return matchesOf(rows)
    }
    const of = given.findIndex((word) => word === 'of' || word === 'to')
    const [name] = of > 0 ? exact(text.slice(words[of]?.end)) : []
    const rows = name ? counted(name.row, given.slice(0, of)) : []
    if (rows.length > 0) return matchesOf(rows)
    const numbered = ordered(given, exact)
    if (numbered.length > 0) return matchesOf(numbered)
    const { length } = splitSeason(given).base
    if (length === 0 || length === given.length) return []
    const [best] = near(text.slice(0, words[length]?.begin))
    if (best === undefined || best.similarity <= constants().titles.part) return []
    return matchesOf(counted(best.row, given.slice(length)), best.similarity)
  }

  return { match, isSeason: (row) => seasons.size === 0 || seasons.has(row) }
}
