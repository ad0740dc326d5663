/** How well each work of a dataset fulfils a fact of a query: 0 not at all, 1 wholly. */
import type { Fact, LengthBounds, LengthUnit } from '../reader/interpretation.js'
import { tagDegrees } from '../../data/catalogue/tag-degrees.js'
import type { DatasetFacts, RowList } from './dataset-facts.js'

/** The weight of a genre next to a tag of weight 3: genres are given more freely. */
const genreDegree = 0.85
/** What another magazine of the same short name counts: most who say `shonen jump` mean the weekly one. */
const alternativeDegree = 0.6
/** Years next to a single year, which people remember a little wrong, and what they are worth. A range has ends. */
const nearYears: readonly number[] = [1, 0.4, 0.2, 0.1]

/** One degree a row. */
export function degreesOf(facts: DatasetFacts, fact: Fact): Float32Array {
  const degrees = new Float32Array(facts.rowCount)
  switch (fact.kind) {
    case 'type':
      for (const value of fact.values) mark(degrees, facts.types.get(value), 1)
      return degrees
    case 'years':
      return each(degrees, (row) => yearDegree(facts.years[row] ?? 0, fact.from, fact.to))
    case 'length':
      return lengthDegrees(facts, fact, degrees)
    case 'audience':
      return mark(degrees, facts.audiences.get(fact.value), 1)
    case 'source':
      return mark(degrees, facts.sources.get(fact.value), 1)
    case 'status':
      return mark(degrees, facts.statuses.get(fact.value), 1)
    case 'studio':
      return mark(degrees, facts.studios.get(fact.value.toLowerCase()), 1)
    case 'person':
      return mark(degrees, facts.people.get(fact.value.toLowerCase()), 1)
    case 'magazine':
      fact.alternatives?.forEach((name) =>
        mark(degrees, facts.magazines.get(name.toLowerCase()), alternativeDegree),
      )
      return mark(degrees, facts.magazines.get(fact.value.toLowerCase()), 1)
    case 'fame':
      return fameDegrees(facts, fact.value, degrees)
    case 'topic':
      return topicDegrees(facts, fact, degrees)
  }
}

/** Popularity (-ln(rank / works)) from which a work is well known: the first 1 %. */
const wellKnown = 4.6
/** The mean site score of well-known works, and one that few reach. */
const usualScore = 7
const highScore = 8.5

/** Average works and less known ones are equally obscure: a query for underrated works does not request the worst. */
const average = 1

/** Works of unknown fame are neither popular nor obscure. Where no score is known, the best known works are acclaimed. */
function fameDegrees(
  { popularity, scores }: DatasetFacts,
  fame: Extract<Fact, { kind: 'fame' }>['value'],
  degrees: Float32Array,
): Float32Array {
  const known = (row: number) => popularity[row] ?? NaN
  if (fame === 'obscure') {
    return each(degrees, (row) =>
      Number.isNaN(known(row)) ? 0 : 1 - ramp(known(row), average, wellKnown),
    )
  }
  if (fame === 'popular' || scores.every(Number.isNaN)) {
    return each(degrees, (row) => ramp(known(row), 0, wellKnown))
  }
  return each(degrees, (row) => ramp(scores[row] ?? NaN, usualScore, highScore))
}

/** 0 up to `low`, 1 from `high` on, and for NaN 0. */
const ramp = (value: number, low: number, high: number): number =>
  Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, (value - low) / (high - low)))

/** What the best of several genres and tags for a subject counts; the rest is whether a work has a second of them. */
const bestShare = 0.9
const enough = 2

function topicDegrees(
  facts: DatasetFacts,
  { genres, tags, together: isTogether = false }: Extract<Fact, { kind: 'topic' }>,
  degrees: Float32Array,
): Float32Array {
  if (isTogether) return togetherDegrees(facts, tags, degrees)
  const sums = new Float32Array(degrees.length)
  const take = (row: number, degree: number) => {
    degrees[row] = Math.max(degrees[row] ?? 0, degree)
    sums[row] = (sums[row] ?? 0) + degree
  }
  for (const tag of tags) {
    const weighted = weightedRows(facts, tag)
    if (weighted === undefined) continue
    for (let position = 0; position < weighted.rows.length; position += 1)
      take(weighted.rows[position] ?? 0, degreeAt(weighted.weights, position))
  }
  for (const genre of genres) {
    facts.genres.get(genre.toLowerCase())?.forEach((row) => {
      take(row, genreDegree)
    })
  }
  if (tags.length + genres.length < enough) return degrees
  for (let row = 0; row < degrees.length; row += 1) {
    const best = degrees[row] ?? 0
    if (best === 0) continue
    const share = Math.min(1, (sums[row] ?? 0) / enough)
    degrees[row] = bestShare * best + (1 - bestShare) * share
  }
  return degrees
}

function weightedRows({ tags, lists }: DatasetFacts, tag: string) {
  const list = tags.numberOf(tag)
  return list === undefined
    ? undefined
    : { rows: lists.rowsOf(list), weights: lists.weightsOf(list) }
}

/** Rounded as what is computed of them is. */
const degreeOfWeight = Float32Array.from(tagDegrees)
const degreeAt = (weights: Uint8Array, position: number): number =>
  degreeOfWeight[weights[position] ?? 0] ?? 1

/** The mean of the tags' degrees, less where a work lacks one of them. */
function togetherDegrees(
  facts: DatasetFacts,
  tags: readonly string[],
  degrees: Float32Array,
): Float32Array {
  const met = new Uint8Array(degrees.length)
  for (const tag of tags) {
    const weighted = weightedRows(facts, tag)
    weighted?.rows.forEach((row, position) => {
      degrees[row] = (degrees[row] ?? 0) + degreeAt(weighted.weights, position) / tags.length
      met[row] = (met[row] ?? 0) + 1
    })
  }
  return each(degrees, (row, degree) => degree * ((met[row] ?? 0) / tags.length) ** 0.5)
}

/** Sets the degree of each row, in place. A plain loop, because typed arrays' own methods take several times as long. */
function each(degrees: Float32Array, of: (row: number, degree: number) => number): Float32Array {
  for (let row = 0; row < degrees.length; row += 1) degrees[row] = of(row, degrees[row] ?? 0)
  return degrees
}

function mark(degrees: Float32Array, rows: RowList | undefined, degree: number): Float32Array {
  rows?.forEach((row) => (degrees[row] = Math.max(degrees[row] ?? 0, degree)))
  return degrees
}

function yearDegree(year: number, from = 0, to = Infinity): number {
  if (year === 0) return 0
  const distance = Math.max(0, from - year, year - to)
  return from === to ? (nearYears[distance] ?? 0) : distance === 0 ? 1 : 0
}

/** A film has no episodes: its length is in minutes. */
function lengthDegrees(
  facts: DatasetFacts,
  fact: Extract<Fact, { kind: 'length' }>,
  degrees: Float32Array,
): Float32Array {
  const { unit, isOfSeries = false, isWhole = false, ofFilms } = fact
  for (let row = 0; row < degrees.length; row += 1) {
    if (isOfSeries && facts.episodes[row] === 1) continue
    degrees[row] = lengthDegree(lengthOf(facts, row, unit), fact, slackOf[unit])
  }
  for (const row of unit === 'episodes' ? (facts.types.get('movie') ?? []) : []) {
    const length = lengthOf(facts, row, 'minutes')
    degrees[row] = ofFilms === undefined ? 0 : lengthDegree(length, ofFilms, slackOf.minutes)
  }
  return isWhole ? withoutContinued(facts, degrees) : degrees
}

/** What the length of a season counts of a series that has others. */
const continuedShare = 0.3

function withoutContinued(
  { relations, franchises }: DatasetFacts,
  degrees: Float32Array,
): Float32Array {
  const series = new Set(Array.from(relations.get('sequel') ?? [], (row) => franchises[row]))
  series.delete(-1)
  return each(degrees, (row, degree) =>
    series.has(franchises[row]) ? degree * continuedShare : degree,
  )
}

/** 0 where unknown. */
function lengthOf(
  { episodes, volumes, chapters, minutes }: DatasetFacts,
  row: number,
  unit: LengthUnit,
): number {
  switch (unit) {
    case 'episodes':
      return episodes[row] ?? 0
    case 'volumes':
      return volumes[row] ?? 0
    case 'chapters':
      return chapters[row] ?? 0
    case 'episodeMinutes':
      return minutes[row] ?? 0
    case 'minutes':
      return (minutes[row] ?? 0) * (episodes[row] ?? 0)
  }
}

/** Beyond its bounds by so large a share a length is nearly met; an hour and a half is no short film. */
const slackOf: Readonly<Record<LengthUnit, number>> = {
  episodes: 0.25,
  volumes: 0.25,
  chapters: 0.25,
  minutes: 0.1,
  episodeMinutes: 0.1,
}

function lengthDegree(
  length: number,
  { min = 0, max = Infinity }: LengthBounds,
  slack: number,
): number {
  if (length === 0) return 0
  if (length >= min && length <= max) return 1
  return length >= min / (1 + slack) && length <= max * (1 + slack) ? 0.4 : 0
}
