/** A fact as the core compares it with every work: native/core/rows/fact_degrees.h computes how well each fulfils it. */
import { constants } from '../../base/constants/constants.js'
import type { DegreeList, PlannedBounds, PlannedFact } from '../../native/addon/rank-plan.js'
import type { Fact, LengthBounds } from '../reader/interpretation.js'
import { tagDegrees } from '../../data/catalogue/tag-degrees.js'
import type { DatasetFacts, NamedRows } from './dataset-facts.js'

export function plannedFact(facts: DatasetFacts, fact: Fact): PlannedFact {
  const lists = (named: NamedRows, ...values: readonly string[]): PlannedFact => ({
    kind: 'listed',
    lists: values.flatMap((value) => listOf(facts, named, value, 1)),
  })
  switch (fact.kind) {
    case 'type':
      return lists(facts.types, ...fact.values)
    case 'years': {
      // A range has ends, and a single year has neighbours.
      const near = constants().facts.nearYear
      const { from = 0, to = Infinity } = fact
      return { kind: 'years', from, to, near: [1, near, near / 2, near / 4] }
    }
    case 'length':
      return plannedLength(facts, fact)
    case 'audience':
      return lists(facts.audiences, fact.value)
    case 'source':
      return lists(facts.sources, fact.value)
    case 'status':
      return lists(facts.statuses, fact.value)
    case 'studio':
      return lists(facts.studios, fact.value.toLowerCase())
    case 'person':
      return lists(facts.people, fact.value.toLowerCase())
    case 'magazine': {
      const names = [fact.value, ...(fact.alternatives ?? [])].map((name) => name.toLowerCase())
      return lists(facts.magazines, ...names)
    }
    case 'fame':
      return plannedFame(facts, fact.value)
    case 'topic':
      return plannedTopic(facts, fact)
  }
}

function listOf(
  { lists }: DatasetFacts,
  named: NamedRows,
  value: string,
  degree: DegreeList['degree'],
): DegreeList[] {
  const number = named.numberOf(value)
  return number === undefined ? [] : [{ rows: lists.planned(number), degree }]
}

/** Popularity (-ln(rank / works)) from which a work is well known: the first 1 %. */
const wellKnown = 4.6
/** The mean site score of well-known works, and one that few reach. */
const usualScore = 7
const highScore = 8.5
/** Average works and less known ones are equally obscure: a query for underrated works does not request the worst. */
const average = 1

/** Works of unknown fame are neither popular nor obscure. Where no score is known, the best known works are acclaimed. */
function plannedFame(
  { hasScores }: DatasetFacts,
  fame: Extract<Fact, { kind: 'fame' }>['value'],
): PlannedFact {
  const isInverted = fame === 'obscure'
  if (fame === 'acclaimed' && hasScores)
    return { kind: 'ramp', column: 'score', low: usualScore, high: highScore, isInverted }
  const low = isInverted ? average : 0
  return { kind: 'ramp', column: 'popularity', low, high: wellKnown, isInverted }
}

/** So many genres and tags of a subject are enough. */
const enough = 2

/** Rounded as what is computed of them is. */
const [absent = 0, weak = 0, usual = 0, strong = 0] = Float32Array.from(tagDegrees)
const tagDegree = [absent, weak, usual, strong] as const

function plannedTopic(
  facts: DatasetFacts,
  { genres, tags, together = false }: Extract<Fact, { kind: 'topic' }>,
): PlannedFact {
  const ofTags = tags.flatMap((tag) => listOf(facts, facts.tags, tag, tagDegree))
  if (together) return { kind: 'all', lists: ofTags, count: tags.length }
  const { genre: degree, best: bestShare } = constants().facts
  const ofGenres = genres.flatMap((genre) =>
    listOf(facts, facts.genres, genre.toLowerCase(), degree),
  )
  const count = tags.length + genres.length
  return { kind: 'any', lists: [...ofTags, ...ofGenres], count, bestShare, enough }
}

const noRows = new Uint32Array(0)

/** A film has no episodes: its length is in minutes. */
function plannedLength(facts: DatasetFacts, fact: Extract<Fact, { kind: 'length' }>): PlannedFact {
  const { unit, isOfSeries = false, isWhole = false, ofFilms } = fact
  const rowsOf = (named: NamedRows, value: string) => {
    const number = named.numberOf(value)
    return number === undefined ? noRows : facts.lists.planned(number)
  }
  return {
    kind: 'length',
    unit,
    bounds: boundsOf(fact),
    isOfSeries,
    films: unit === 'episodes' ? rowsOf(facts.types, 'movie') : noRows,
    filmBounds: ofFilms && boundsOf(ofFilms),
    sequels: isWhole ? rowsOf(facts.relations, 'sequel') : noRows,
    continuedShare: constants().facts.continued,
  }
}

const boundsOf = ({ min = 0, max = Infinity }: LengthBounds): PlannedBounds => ({ min, max })
