/** Which field of a source is what, guessed from names that exports use and from the values. */
import { parseYear } from './dates.js'
import { readRating } from './read-value.js'

type Row = Readonly<Record<string, unknown>>

export interface GuessedFields {
  readonly fields: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
  readonly texts: Readonly<Record<string, unknown>>
  /** Names of the source's fields that are read. */
  readonly used: ReadonlySet<string>
  /** Whether volumes or chapters are counted. */
  readonly isManga: boolean
}

/** Names as exports write them, without case, spaces and marks; the first that a file has is taken. */
const names: Readonly<Record<string, readonly string[]>> = {
  id: ['id', 'malid', 'animeid', 'mangaid', 'anilistid', 'uid', 'nr', 'no', 'number'],
  title: ['title', 'name', 'titel', 'titre', 'titulo', 'animetitle', 'mangatitle'],
  type: ['type', 'mediatype', 'format', 'kind', 'typ', 'art', 'tipo'],
  genres: ['genres', 'genre', 'categories', 'category', 'genren'],
  year: ['year', 'startyear', 'releaseyear', 'released', 'aired', 'startdate', 'published', 'jahr'],
  score: ['score', 'rating', 'averagescore', 'mean', 'averagerating', 'bewertung'],
  popularity: ['members', 'popularitycount', 'numlistusers', 'users', 'votes', 'scoredby'],
  episodes: ['episodes', 'eps', 'numepisodes', 'episodecount', 'episoden', 'folgen'],
  minutes: ['minutes', 'duration', 'runtime', 'episodeduration', 'dauer', 'duracion'],
  volumes: ['volumes', 'vols', 'numvolumes', 'volumecount'],
  chapters: ['chapters', 'numchapters', 'chaptercount'],
  studios: ['studios', 'studio'],
  authors: ['authors', 'author', 'mangaka', 'autor'],
  tags: ['tags', 'themes', 'theme', 'keywords'],
}
const titleNames = ['englishtitle', 'titleenglish', 'englishname', 'japanesename', 'titlejapanese']
const textNames = [
  ...['synopsis', 'description', 'plot', 'summary', 'overview', 'sypnopsis', 'story'],
  ...['beschreibung', 'handlung', 'inhalt', 'resume', 'sinopsis', 'descripcion'],
]
const textLength = 60

export function guessFields(header: readonly string[], rows: readonly Row[]): GuessedFields {
  const byKey = new Map(header.map((name) => [keyOf(name), name]))
  const find = (keys: readonly string[]) => keys.flatMap((key) => byKey.get(key) ?? [])
  const fields: Record<string, unknown> = {}
  const used = new Set<string>()
  for (const [member, keys] of Object.entries(names)) {
    const name = find(keys).find((candidate) => fits(member, candidate, rows))
    if (name === undefined || used.has(name)) continue
    fields[member] = member === 'score' ? scoreField(name, rows) : name
    used.add(name)
  }
  const titles = find(titleNames)
  if (titles.length > 0) fields.titles = titles
  const text = find(textNames)[0] ?? longestField(header, rows, used)
  const idName = typeof fields.id === 'string' ? fields.id : ''
  const site = { malid: 'malId', anilistid: 'anilistId' }[keyOf(idName)]
  for (const name of [...titles, ...(text === undefined ? [] : [text])]) used.add(name)
  return {
    fields,
    metadata: site === undefined ? {} : { [site]: { from: idName, as: 'integer' } },
    texts: text === undefined ? {} : { synopsis: text },
    used,
    isManga: fields.volumes !== undefined || fields.chapters !== undefined,
  }
}

const keyOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Ids have to be distinct whole numbers, years have to be in the values; any text may be the rest. */
function fits(member: string, name: string, rows: readonly Row[]): boolean {
  const values = valuesOf(name, rows)
  if (member === 'id') {
    return (
      values.length === rows.length && new Set(values).size === rows.length && values.every(isId)
    )
  }
  return member !== 'year' || values.some((value) => parseYear(value) !== null)
}

const isId = (value: string) => /^\d{1,15}(?:\.0+)?$/.test(value)

/** A score above 10 is one of 100. */
function scoreField(name: string, rows: readonly Row[]): unknown {
  const scores = valuesOf(name, rows).map((value) => readRating(value) ?? 0)
  return Math.max(0, ...scores) > 10 ? { from: name, outOf: 100 } : name
}

/** The field with the longest values, if they are as long as a synopsis. */
function longestField(
  header: readonly string[],
  rows: readonly Row[],
  used: ReadonlySet<string>,
): string | undefined {
  const lengths = header
    .filter((name) => !used.has(name))
    .map((name) => {
      const values = valuesOf(name, rows)
      const sum = values.reduce((total, value) => total + value.length, 0)
      return [name, values.length === 0 ? 0 : sum / values.length] as const
    })
    .sort((one, other) => other[1] - one[1])
  const [best] = lengths
  return best !== undefined && best[1] >= textLength ? best[0] : undefined
}

const valuesOf = (name: string, rows: readonly Row[]): string[] =>
  rows.flatMap((row) => {
    const value = row[name]
    const text = typeof value === 'string' ? value.trim() : JSON.stringify(value ?? '')
    return text === '' || text === '""' ? [] : [text]
  })
