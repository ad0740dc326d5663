/** Which field of a source is what, guessed from names that exports use and from the values. */
import { fieldNames } from './field-names.js'
import { keyOf } from './name-key.js'
import { dateOrderOf, type DateOrder } from './date-order.js'
import { parseYear } from './dates.js'
import { looksLikeTitles, titleColumn, yearColumn } from './guess-by-values.js'
import { readRating, readValue } from './read-value.js'
import { isKnownType, mangaTypes, readType } from './types.js'

type Row = Readonly<Record<string, unknown>>

export interface GuessedFields {
  readonly fields: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
  readonly texts: Readonly<Record<string, unknown>>
  /** Names of the source's fields that are read. */
  readonly used: ReadonlySet<string>
  /** Whether volumes or chapters are counted, or most types are those of books. */
  readonly isManga: boolean
  /** Whether episodes are counted, a studio is named, or most types are those of anime. */
  readonly isAnime: boolean
  /** How the parts of dates are ordered, where a column has dates such as 13/02/2004. */
  readonly dates?: DateOrder & { readonly from: string }
}

/** Counts that files write with a unit, such as `12 eps`. */
const countNames: ReadonlySet<string> = new Set(['episodes', 'volumes', 'chapters'])
/** Members that are read as types are: `Finished Airing` as `finished_airing`. */
const typeLike: ReadonlySet<string> = new Set(['status', 'source'])
/** Objects around each work, as several APIs write them; what is outside is the list's, not the work's. */
const wrappers = ['node', 'media', 'attributes', 'record', 'anime', 'manga', 'item', 'series']
const textLength = 60

export function guessFields(header: readonly string[], rows: readonly Row[]): GuessedFields {
  const find = createFinder(header, rows)
  const fields: Record<string, unknown> = {}
  const used = new Set<string>()
  const take = (member: string, name: string, field: unknown) => {
    fields[member] = field
    used.add(name)
  }
  for (const [member, keys] of Object.entries(fieldNames.fields)) {
    for (const name of inOrder(member, find(keys), rows)) {
      const field = used.has(name) ? undefined : fieldOf(member, name, rows)
      if (field === undefined) continue
      take(member, name, field)
      break
    }
  }
  const free = header.filter((name) => !used.has(name))
  const text =
    find(fieldNames.texts).find((name) => hasValues(name, rows)) ?? longestField(free, rows)
  if (fields.title === undefined) {
    const title = titleColumn(
      free.filter((name) => name !== text),
      rows,
    )
    if (title !== undefined) take('title', title, title)
  }
  if (fields.year === undefined) {
    const year = yearColumn(free, rows)
    if (year !== undefined) take('year', year, year)
  }
  const titles = find(fieldNames.titles).filter((name) => !used.has(name) && hasValues(name, rows))
  if (titles.length > 0) fields.titles = titles
  const dates = datesOf(fields.year, rows)
  const metadata = { ...metadataOf(fields, find, rows), ...startDate(dates) }
  for (const name of [...titles, ...namesIn(metadata), ...(text === undefined ? [] : [text])])
    used.add(name)
  return {
    fields,
    metadata,
    texts: text === undefined ? {} : { synopsis: text },
    used,
    ...kindOf(fields, rows),
    ...(dates !== undefined && { dates }),
  }
}

/** Returns the file's names for the given keys, in the order of the keys. */
function createFinder(header: readonly string[], rows: readonly Row[]) {
  const wrapper = wrapperOf(header, rows)
  const inside = wrapper === undefined ? header : header.filter((name) => name.startsWith(wrapper))
  const own = (name: string) => name.slice(wrapper?.length ?? 0)
  // A remark in a name, as in `Rating (out of 10)`, counts where the name is nothing without it.
  const byKey = new Map([
    ...(header.includes('id') ? [['id', 'id'] as const] : []),
    ...inside.map((name) => [keyOf(own(name).replace(/\([^()]{2,}\)/, '')), name] as const),
    ...inside.map((name) => [keyOf(own(name)), name] as const),
  ])
  return (keys: readonly string[]) => keys.flatMap((key) => byKey.get(keyOf(key)) ?? [])
}

/** `node.` where most members are inside of such an object. */
function wrapperOf(header: readonly string[], rows: readonly Row[]): string | undefined {
  return wrappers
    .map((name) => `${name}.`)
    .find((wrapper) => {
      const inside = header.filter((name) => name.startsWith(wrapper))
      return inside.length > 2 && inside.length * 2 > header.length && rows.length > 0
    })
}

/** Of several fields with the name of a type, one whose values are types comes first. */
function inOrder(member: string, found: readonly string[], rows: readonly Row[]) {
  if (member !== 'type') return found
  const shareOf = (name: string) => {
    const values = valuesOf(name, rows).map(readType)
    return values.filter((type) => type !== null && isKnownType(type)).length / (values.length || 1)
  }
  return found.toSorted((one, other) => shareOf(other) - shareOf(one))
}

function metadataOf(
  fields: Readonly<Record<string, unknown>>,
  find: (keys: readonly string[]) => readonly string[],
  rows: readonly Row[],
): Record<string, unknown> {
  const filled = (keys: readonly string[]) => find(keys).find((name) => hasValues(name, rows))
  const id = typeof fields.id === 'string' ? fields.id : undefined
  const { sites, english, japanese, images } = fieldNames
  const malId = filled(sites.malId) ?? (filled(malMarks) === undefined ? undefined : id)
  const anilistId =
    filled(sites.anilistId) ?? (find(['idmal']).length > 0 && id !== malId ? id : undefined)
  const [titleEnglish, titleJapanese, imageUrl] = [english, japanese, images].map(filled)
  return {
    ...(malId !== undefined && { malId: { from: malId, as: 'integer' } }),
    ...(anilistId !== undefined && { anilistId: { from: anilistId, as: 'integer' } }),
    ...(titleEnglish !== undefined && { titleEnglish: { from: titleEnglish, as: 'text' } }),
    ...(titleJapanese !== undefined && { titleJapanese: { from: titleJapanese, as: 'text' } }),
    ...(imageUrl !== undefined && { imageUrl }),
  }
}

/** Members that MyAnimeList's API has and no other. */
const malMarks = ['alternativetitlesen', 'alternativetitlesja', 'numlistusers']

const namesIn = (metadata: Readonly<Record<string, unknown>>) =>
  Object.values(metadata).flatMap((field) =>
    typeof field === 'string' ? [field] : [(field as { from: string }).from],
  )

function datesOf(year: unknown, rows: readonly Row[]) {
  if (typeof year !== 'string') return undefined
  const order = dateOrderOf(valuesOf(year, rows))
  return order === undefined ? undefined : { from: year, ...order }
}

const startDate = (dates: GuessedFields['dates']) =>
  dates === undefined ? {} : { startDate: { from: dates.from, as: 'date', order: dates.order } }

function kindOf(fields: Readonly<Record<string, unknown>>, rows: readonly Row[]) {
  const nameOf = (member: string) => {
    const field = fields[member]
    return typeof field === 'string' ? field : (field as { from?: string } | undefined)?.from
  }
  const isFilled = (member: string) => {
    const name = nameOf(member)
    return name !== undefined && hasValues(name, rows)
  }
  const type = nameOf('type')
  const types = (type === undefined ? [] : valuesOf(type, rows).map(readType)).filter(
    (one) => one !== null && isKnownType(one),
  )
  if (types.length > 0) {
    const books = types.filter((one) => one !== null && mangaTypes.has(one)).length
    return { isManga: books * 2 > types.length, isAnime: books * 2 <= types.length }
  }
  const isManga = isFilled('volumes') || isFilled('chapters')
  return { isManga, isAnime: !isManga && (isFilled('episodes') || isFilled('studios')) }
}

const hasValues = (name: string, rows: readonly Row[]) => valuesOf(name, rows).length > 0

/** How a mapping reads the member there, or undefined where the values are not such; any text may be most members. */
function fieldOf(member: string, name: string, rows: readonly Row[]): unknown {
  const values = valuesOf(name, rows)
  if (member === 'id') return isIdentity(name, values, rows) ? name : undefined
  if (values.length === 0) return rows.length > 0 ? undefined : name
  if (member === 'title') return looksLikeTitles(values) ? name : undefined
  if (member === 'year') return values.some((value) => parseYear(value) !== null) ? name : undefined
  if (member === 'score') return scoreField(name, values)
  if (member === 'adult')
    return values.every((value) => readValue('boolean', value, {}) !== null) ? name : undefined
  if (typeLike.has(member)) return { from: name, as: 'type' }
  // A pattern reads texts alone.
  const isText = rows.every((row) => typeof row[name] !== 'number')
  return countNames.has(member) && isText ? countField(name, values) : name
}

/** Ids are distinct whole numbers. Numbers of rows are not ids: they change with each version of the file. */
const isIdentity = (name: string, values: readonly string[], rows: readonly Row[]) =>
  values.length === rows.length &&
  new Set(values).size === rows.length &&
  values.every((value) => /^\d{1,15}(?:\.0+)?$/.test(value)) &&
  !(rowNumberNames.has(keyOf(name)) && isCounted(values.map(Number)))

const rowNumberNames: ReadonlySet<string> = new Set(
  ['nr', 'no', 'num', 'number', 'index', 'nummer', 'numero', 'n\u00famero', '\u756a\u53f7'].map(
    keyOf,
  ),
)

const isCounted = (values: readonly number[]) =>
  values.length > 1 && values.every((value, at) => value === (values[0] ?? 0) + at)

/** One number among words. */
const amount = /^\D*\d(?:[\d,]*\d)?\D*$/

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
function longestField(header: readonly string[], rows: readonly Row[]): string | undefined {
  const lengths = header
    .filter((name) => isProse(valuesOf(name, rows)))
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
    return text === '' || text === '""' || text === '[]' ? [] : [text]
  })
