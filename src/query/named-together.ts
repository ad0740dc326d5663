/** Works that a query names by several names that agree: `guts and griffith`, `gojo jjk`, `aot levi ova`. */
import type { CalledCharacters, TitleLookup } from './interpretation.js'
import type { QueryTables } from './query-tables.js'
import type { QueryWord } from './query-words.js'
import { bestTitle, named, nearTitle, type TitleReading } from './read-title.js'
import { fillerOf } from './rest-of-query.js'

/** More words tell something of them. */
const maxWords = 8

type Titles = Pick<TitleLookup, 'called' | 'exact' | 'match'>

interface Name extends CalledCharacters {
  readonly begin: number
}

/** That names have one work in common is no chance, whatever else they mean. */
export function readNamedTogether(
  query: string,
  words: readonly QueryWord[],
  tables: Pick<QueryTables, 'filler' | 'joins'>,
  titles: Titles,
): TitleReading | undefined {
  if (titles.called === undefined || words.length < 2 || words.length > maxWords) return undefined
  if (titles.exact(query).length > 0) return undefined
  return readJoined(query, words, tables, titles) ?? readBeside(query, words, titles)
}

/** The work of two that are joined and of whom nothing else is told: `light and l`. */
function readJoined(
  query: string,
  words: readonly QueryWord[],
  { filler, joins }: Pick<QueryTables, 'filler' | 'joins'>,
  titles: Titles,
): TitleReading | undefined {
  const isFiller = fillerOf(words, filler)
  const names = words.flatMap((_, begin) => nameAt(words, begin, titles))
  for (const one of names) {
    for (const other of names) {
      const end = one.begin + one.length
      const joined = joins.longestAt(words, end)?.length ?? 0
      const isAmpersand = query.slice(words[end - 1]?.end, words[end]?.begin).trim() === '&'
      if (other.begin !== end + joined || (joined === 0 && !isAmpersand)) continue
      const last = other.begin + other.length
      if (!isFiller.every((is, at) => is || (one.begin <= at && at < last))) continue
      const rows = one.rows.filter(other.isIn).slice(0, 1)
      if (rows.length > 0 && one.name !== other.name) return readingOf(query, one.name, rows)
    }
  }
  return undefined
}

/** The title that is left without the names of those who are in the work. */
function readBeside(
  query: string,
  words: readonly QueryWord[],
  titles: Titles,
): TitleReading | undefined {
  const names: Name[] = []
  for (let position = 0; position < words.length;) {
    const [name] = nameAt(words, position, titles)
    if (name !== undefined) names.push(name)
    position += name?.length ?? 1
  }
  const span = { begin: 0, end: query.length }
  for (const without of [...names.map((name) => [name]), ...(names.length > 1 ? [names] : [])]) {
    const isName = (at: number) =>
      without.some(({ begin, length }) => begin <= at && at < begin + length)
    const rest = words.filter((_, at) => !isName(at))
    const text = rest.map(({ begin, end }) => query.slice(begin, end)).join(' ')
    const isInAll = (row: number) => without.every(({ isIn }) => isIn(row))
    const found = titles.match(text).filter(({ row }) => isInAll(row))
    const title = bestTitle(found, span)
    if (title !== undefined && title.confidence > nearTitle) return { ...title, confidence: named }
  }
  return undefined
}

const nameAt = (
  words: readonly QueryWord[],
  begin: number,
  { called }: Titles,
): readonly Name[] => {
  const name = called?.(words.slice(begin).map(({ folded }) => folded))
  return name === undefined ? [] : [{ ...name, begin }]
}

const readingOf = (query: string, label: string, rows: readonly number[]): TitleReading => ({
  kind: 'title',
  begin: 0,
  end: query.length,
  label,
  rows,
  confidence: named,
  excluded: false,
})
