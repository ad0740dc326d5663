/** The facts of a catalogue's entry, from its members and from metadata that mappings name so. */
import type { Entry } from '../catalogue/catalogue.js'
import type { FactRow } from './fact-row.js'

type EntryFacts = Pick<Entry, 'type' | 'year' | 'score' | 'genres' | 'metadata'>

/** @param isAdult whether the entry is for adults alone */
export function readFactRow(
  { type, year, score, genres, metadata }: EntryFacts,
  isAdult: boolean,
): FactRow {
  return {
    type,
    year,
    episodes: countOf(metadata.episodes),
    volumes: countOf(metadata.volumes),
    score,
    genres,
    tags: tagsOf(metadata.tags),
    studios: namesOf(metadata.studios),
    people: [...namesOf(metadata.authors), ...namesOf(metadata.director)],
    audience: wordOf(metadata.audience),
    source: wordOf(metadata.source),
    status: wordOf(metadata.status),
    franchise: wordOf(metadata.franchise),
    place: wordOf(metadata.place),
    adult: isAdult,
  }
}

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536 ? value : null

const wordOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.toLowerCase().replaceAll(/[\s-]+/g, '_') : null

function namesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

/** What a tag counts whose source gives no weight. */
const usualWeight = 2

/** Tags by weight, or a list of them. */
function tagsOf(value: unknown): ReadonlyMap<string, number> {
  if (Array.isArray(value)) return new Map(namesOf(value).map((tag) => [tag, usualWeight]))
  if (typeof value !== 'object' || value === null) return new Map()
  const weights = Object.entries(value).filter(
    (pair): pair is [string, number] => pair[1] === 1 || pair[1] === 2 || pair[1] === 3,
  )
  return new Map(weights)
}
