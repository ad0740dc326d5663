/** CSV files that were made from MyAnimeList: their columns have one of a few names, whatever their order. */
import { parse } from 'csv-parse/sync'
import type { DatasetName } from '../../catalogue/catalogue.js'
import type { Mapping } from '../mapping.js'
import type { Field } from '../field.js'

/** Names of each part of a row, in the order in which they are preferred. */
const names = {
  id: ['anime_id', 'manga_id', 'MAL_ID', 'mal_id', 'item_id', 'uid'],
  title: ['title', 'name'],
  english: ['title_english', 'english_name', 'english_title'],
  japanese: ['title_japanese', 'japanese_name', 'other_name', 'title_native'],
  synonyms: ['title_synonyms', 'synonyms', 'alternative_titles'],
  synopsis: ['synopsis', 'sypnopsis', 'description'],
  genres: ['genres', 'genre'],
  type: ['type', 'media_type'],
  year: ['start_year', 'year', 'aired', 'published', 'start_date', 'published_from', 'premiered'],
  score: ['score', 'mean'],
  members: ['members'],
  popularity: ['popularity'],
  episodes: ['episodes', 'num_episodes'],
  minutes: ['duration', 'duration_minutes'],
  volumes: ['volumes', 'num_volumes'],
  chapters: ['chapters', 'num_chapters'],
  studios: ['studios', 'studio'],
  authors: ['authors', 'author'],
  magazines: ['serializations', 'serialization'],
  source: ['source'],
  status: ['status'],
  themes: ['themes', 'theme'],
  demographics: ['demographics', 'demographic'],
  rating: ['rating'],
  image: ['main_picture', 'image_url', 'img_url'],
} as const

type Part = keyof typeof names
/** The name that the file has for a part. */
export type Columns = Readonly<Partial<Record<Part, string>>>

/** `English name` and `title_english` are written in any case, with spaces or underscores. */
const folded = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')

export function findColumns(header: readonly string[]): Columns {
  const byName = new Map(header.map((name) => [folded(name), name.trim()]))
  const parts = Object.entries(names).flatMap(([part, known]) => {
    const name = known.map((one) => byName.get(folded(one))).find((found) => found !== undefined)
    return name === undefined ? [] : [[part, name] as const]
  })
  return Object.fromEntries(parts)
}

/** What a file lacks that has some of the columns; none where it can be read. */
export function missingParts(columns: Columns): string[] {
  const missing: string[] = []
  if (columns.title === undefined) missing.push(`a title (${names.title.join(', ')})`)
  if (columns.id === undefined && columns.synopsis === undefined) {
    missing.push(`an id (${names.id.join(', ')}) or a text (${names.synopsis.join(', ')})`)
  }
  return missing
}

/** The name under which rows have how well known they are; see `withRank`. */
export const rankName = 'rank of popularity, negated'

export interface Sample {
  readonly file: string
  readonly dataset: DatasetName
  /** Rows of the file's beginning, by the names of the header. */
  readonly rows: readonly Readonly<Record<string, string>>[]
}

export function mappingOf(columns: Columns, { file, dataset, rows }: Sample): Mapping {
  const { id, title = '', english, japanese, synonyms, synopsis } = columns
  const list = (name: string | undefined) => listOf(name, rows)
  const optional = <const T extends string>(name: T, field: Field | undefined) =>
    (field === undefined ? {} : { [name]: field }) as Partial<Record<T, Field>>
  const texts = synopsis === undefined ? {} : { synopsis }
  return {
    dataset,
    file,
    format: 'csv',
    encoding: 'utf-8',
    fields: {
      ...optional('id', id),
      title,
      titles: [
        ...[english, japanese].flatMap((from) =>
          from === undefined ? [] : { from, as: 'text' as const },
        ),
        ...(synonyms === undefined ? [] : [list(synonyms) ?? synonyms]),
      ],
      ...optional('type', columns.type),
      ...optional('genres', list(columns.genres)),
      ...optional('year', columns.year),
      ...optional('score', scoreOf(columns.score, rows)),
      ...optional('popularity', columns.members ?? (columns.popularity && rankName)),
      ...optional('episodes', columns.episodes),
      ...optional('minutes', columns.minutes),
      ...optional('volumes', columns.volumes),
      ...optional('chapters', columns.chapters),
      ...optional('studios', list(columns.studios)),
      ...optional('authors', list(columns.authors)),
      ...optional('magazines', list(columns.magazines)),
      ...optional('source', columns.source && { from: columns.source, as: 'type' }),
      ...optional('status', columns.status && { from: columns.status, as: 'type' }),
      ...optional('audience', list(columns.demographics)),
      // Some files have the themes among the genres; what is not a tag is left out.
      ...optional('tags', list(columns.themes) ?? list(columns.genres)),
    },
    metadata: {
      idSource: { value: id === undefined ? file : 'MyAnimeList' },
      ...optional('malId', id && { from: id, as: 'integer' }),
      ...optional('titleEnglish', english && { from: english, as: 'text' }),
      ...optional('titleJapanese', japanese && { from: japanese, as: 'text' }),
      ...optional('ageRating', columns.rating && { from: columns.rating, as: 'text' }),
      ...optional('imageUrl', columns.image),
    },
    texts,
  }
}

/** Lists are separated by commas, by bars, or are those of JSON and Python. */
function listOf(from: string | undefined, rows: Sample['rows']): Field | undefined {
  if (from === undefined) return undefined
  const hasBars = rows.some((row) => row[from]?.includes('|'))
  return { from, as: 'list', separator: hasBars ? '|' : ',' }
}

function scoreOf(from: string | undefined, rows: Sample['rows']): Field | undefined {
  if (from === undefined) return undefined
  const best = Math.max(0, ...rows.map((row) => Number(row[from])).filter(Number.isFinite))
  return best > 10 ? { from, outOf: 100 } : from
}

/** The header and the whole rows of a file's beginning; undefined where it is not CSV. */
export function readSample(
  text: string,
): { readonly header: readonly string[]; readonly rows: Sample['rows'] } | undefined {
  try {
    const records = parse(text, {
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      // The last row may be cut anywhere, in quotes too.
      skip_records_with_error: true,
      to: 500,
    })
    const [header = [], ...others] = records
    const whole = others.filter((record) => record.length === header.length)
    const rows = whole.map((record) =>
      Object.fromEntries(header.map((name, position) => [name.trim(), record[position] ?? ''])),
    )
    return header.length < 2 ? undefined : { header, rows }
  } catch {
    return undefined
  }
}
