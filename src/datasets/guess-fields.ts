/** Which field of a source is what, guessed from names that exports use and from the values. */
import { parseYear } from './dates.js'
import { readRating, readValue } from './read-value.js'

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

/** Names as exports and people write them, without case, spaces and marks; the first that a file has is taken. */
const names: Readonly<Record<string, readonly string[]>> = {
  id: ['id', 'malid', 'animeid', 'mangaid', 'anilistid', 'uid', 'nr', 'no', 'number'],
  title: [
    'title',
    'name',
    'titel',
    'titre',
    'titulo',
    'animetitle',
    'mangatitle',
    'animename',
    'manganame',
    'seriestitle',
    'seriesname',
    'series',
    'nombre',
    'nome',
    'titolo',
    'romajititle',
    'titleromaji',
    'englishtitle',
    'titleenglish',
    'anime',
    'manga',
  ],
  type: ['type', 'mediatype', 'format', 'kind', 'typ', 'art', 'tipo'],
  genres: ['genres', 'genre', 'categories', 'category', 'genren', 'genero', 'generos'],
  year: [
    'year',
    'startyear',
    'releaseyear',
    'yearofrelease',
    'yearreleased',
    'seasonyear',
    'released',
    'releasedate',
    'aired',
    'airdate',
    'firstaired',
    'startdate',
    'premiered',
    'premiere',
    'published',
    'publicationdate',
    'season',
    'debut',
    'jahr',
    'annee',
    'ano',
  ],
  score: [
    'score',
    'rating',
    'averagescore',
    'meanscore',
    'mean',
    'averagerating',
    'userrating',
    'userscore',
    'malscore',
    'bewertung',
    'note',
    'puntuacion',
  ],
  popularity: ['members', 'popularitycount', 'numlistusers', 'users', 'votes', 'scoredby'],
  episodes: [
    'episodes',
    'episode',
    'eps',
    'numepisodes',
    'numberofepisodes',
    'noofepisodes',
    'totalepisodes',
    'episodecount',
    'episoden',
    'folgen',
    'episodios',
  ],
  minutes: ['minutes', 'duration', 'runtime', 'episodeduration', 'dauer', 'duracion'],
  volumes: ['volumes', 'vols', 'numvolumes', 'numberofvolumes', 'totalvolumes', 'volumecount'],
  chapters: ['chapters', 'numchapters', 'numberofchapters', 'totalchapters', 'chaptercount'],
  studios: ['studios', 'studio', 'animationstudio', 'animationstudios', 'estudio'],
  authors: ['authors', 'author', 'mangaka', 'writers', 'writer', 'creators', 'creator', 'autor'],
  directors: ['directors', 'director', 'directedby', 'regie', 'regisseur'],
  magazines: [
    'magazines',
    'magazine',
    'serialization',
    'serializations',
    'serialisation',
    'serialisations',
    'serializedin',
    'serialisedin',
    'publishedin',
    'ranin',
  ],
  audience: ['audience', 'demographic', 'demographics'],
  source: ['source', 'sourcematerial'],
  tags: ['tags', 'themes', 'theme', 'keywords'],
}
const titleNames = [
  'englishtitle',
  'titleenglish',
  'englishname',
  'japanesename',
  'titlejapanese',
  'japanesetitle',
  'nativetitle',
  'titlenative',
  'romajititle',
  'titleromaji',
]
const textNames = [
  'synopsis',
  'description',
  'plot',
  'summary',
  'overview',
  'sypnopsis',
  'story',
  'storyline',
  'plotsummary',
  'premise',
  'beschreibung',
  'handlung',
  'inhalt',
  'resume',
  'sinopsis',
  'descripcion',
  'descricao',
  'trama',
]
/** Wholes that files write with words beside them, such as `12 eps`. */
const countNames: ReadonlySet<string> = new Set(['episodes', 'volumes', 'chapters'])
const textLength = 60

export function guessFields(header: readonly string[], rows: readonly Row[]): GuessedFields {
  // A remark in a name, as in `Rating (out of 10)`, counts where the name is nothing without it.
  const byKey = new Map([
    ...header.map((name) => [keyOf(name.replace(/\([^)]{2,}\)/, '')), name] as const),
    ...header.map((name) => [keyOf(name), name] as const),
  ])
  const find = (keys: readonly string[]) => keys.flatMap((key) => byKey.get(key) ?? [])
  const fields: Record<string, unknown> = {}
  const used = new Set<string>()
  for (const [member, keys] of Object.entries(names)) {
    for (const name of find(keys)) {
      const field = used.has(name) ? undefined : fieldOf(member, name, rows)
      if (field === undefined) continue
      fields[member] = field
      used.add(name)
      break
    }
  }
  const titles = find(titleNames).filter((name) => !used.has(name))
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

/** How a mapping reads the member there, or undefined where the values are not such; any text may be most members. */
function fieldOf(member: string, name: string, rows: readonly Row[]): unknown {
  const values = valuesOf(name, rows)
  if (member === 'id') return isIdentity(values, rows) ? name : undefined
  if (values.length === 0) return name
  if (member === 'year') return values.some((value) => parseYear(value) !== null) ? name : undefined
  if (member === 'score') return scoreField(name, values)
  // A pattern reads texts alone.
  const isText = rows.every((row) => typeof row[name] !== 'number')
  return countNames.has(member) && isText ? countField(name, values) : name
}

/** Ids are distinct whole numbers. */
const isIdentity = (values: readonly string[], rows: readonly Row[]) =>
  values.length === rows.length &&
  new Set(values).size === rows.length &&
  values.every((value) => /^\d{1,15}(?:\.0+)?$/.test(value))

/** One number among words. */
const amount = /^\D*\d[\d,]*\D*$/

function countField(name: string, values: readonly string[]): unknown {
  const isNumber = (value: string) => readValue('integer', value, {}) !== null
  if (values.some((value) => !isNumber(value) && amount.test(value)))
    return { from: name, match: '\\d[\\d,]*' }
  return values.some(isNumber) ? name : undefined
}

/** `8.5/10` or `85 %`. */
const rating = /^\d+(?:[.,]\d+)?\s*(?:\/\s*(\d+)|(%))/

/** A score above 10 is one of 100, unless the values say of how much. Whom a work is for is called a rating, too. */
function scoreField(name: string, values: readonly string[]): unknown {
  const scores = values.flatMap((value) => readRating(value) ?? [])
  if (scores.length > 0) return Math.max(...scores) > 10 ? { from: name, outOf: 100 } : name
  const [written] = values.flatMap((value) => {
    const found = rating.exec(value)
    return found === null ? [] : [Number(found[1] ?? 100)]
  })
  if (written === undefined || written === 0) return undefined
  return { from: name, match: '^[\\d.,]+', ...(written !== 10 && { outOf: written }) }
}

/** The field with the longest values, if they are as long as a synopsis and no lists of names. */
function longestField(
  header: readonly string[],
  rows: readonly Row[],
  used: ReadonlySet<string>,
): string | undefined {
  const lengths = header
    .filter((name) => !used.has(name) && isProse(valuesOf(name, rows)))
    .map((name) => {
      const values = valuesOf(name, rows)
      const sum = values.reduce((total, value) => total + value.length, 0)
      return [name, values.length === 0 ? 0 : sum / values.length] as const
    })
    .sort((one, other) => other[1] - one[1])
  const [best] = lengths
  return best !== undefined && best[1] >= textLength ? best[0] : undefined
}

/** Sentences end, or have several words between two commas. */
const isProse = (values: readonly string[]) =>
  2 *
    values.filter((text) => /[.!?…。！？]["'”’」)\]]*$/.test(text) || wordsAPart(text) >= 4)
      .length >
  values.length

const wordsAPart = (text: string) => text.split(/\s+/).length / text.split(/[,;|/\n]/).length

const valuesOf = (name: string, rows: readonly Row[]): string[] =>
  rows.flatMap((row) => {
    const value = row[name]
    const text = typeof value === 'string' ? value.trim() : JSON.stringify(value ?? '')
    return text === '' || text === '""' ? [] : [text]
  })
