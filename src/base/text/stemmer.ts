/** Stems of words, as full-text search compares them. */
import type { Database } from '../util/sqlite.js'
import { LRUCache } from 'lru-cache'

export interface Stemmer {
  /** The distinct stems of a query's words, in code point order. */
  stemsOf(words: readonly string[]): readonly string[]
  /** The stems of each word; most have one, a few scripts are split further. */
  stemEach(words: Iterable<string>): Iterable<readonly string[]>
}

/** Size of the cache of stems, in characters: most queries use the same few thousand words. */
const recentCharacters = 256 * 1024

/** Words that are in the full-text table at a time. */
const wordsAtOnce = 10_000

/**
 * SQLite's own tokeniser (Porter's stems, case and marks on letters ignored), reached through a
 * full-text table in the connection's temporary space, which a read-only connection has too.
 */
export function openStemmer(database: Database): Stemmer {
  database.exec(`
    PRAGMA temp_store = MEMORY;
    CREATE VIRTUAL TABLE temp.stemmer USING fts5(
      word, content = '', detail = none, columnsize = 0,
      tokenize = 'porter unicode61 remove_diacritics 2'
    );
    CREATE VIRTUAL TABLE temp.stemmer_instances USING fts5vocab('temp', 'stemmer', 'instance');
  `)
  const insert = database.prepare('INSERT INTO temp.stemmer (rowid, word) VALUES (?, ?)')
  const clear = database.prepare(`INSERT INTO temp.stemmer (stemmer) VALUES ('delete-all')`)
  const wordStems = database.prepare<[], { term: string; doc: number }>(
    'SELECT term, doc FROM temp.stemmer_instances',
  )
  const stemSome = database.transaction((words: readonly string[]) => {
    words.forEach((word, position) => insert.run(position, word))
    const found = words.map((): string[] => [])
    for (const { term, doc } of wordStems.all()) found[doc]?.push(term)
    clear.run()
    return found
  })
  function* stemEach(words: Iterable<string>) {
    let some: string[] = []
    for (const word of words) {
      if (some.push(word) < wordsAtOnce) continue
      yield* stemSome(some)
      some = []
    }
    yield* stemSome(some)
  }
  const recent = new LRUCache<string, readonly string[]>({
    maxSize: recentCharacters,
    sizeCalculation: (_, word) => word.length,
  })
  function stemsOf(words: readonly string[]): string[] {
    const distinct = [...new Set(words)]
    const cached = distinct.map((word) => recent.get(word))
    const fresh = distinct.filter((_, position) => cached[position] === undefined)
    const found = fresh.length === 0 ? [] : stemSome(fresh)
    fresh.forEach((word, position) => recent.set(word, found[position] ?? []))
    return inCodePointOrder(new Set([...cached.flatMap((stems) => stems ?? []), ...found.flat()]))
  }
  return { stemsOf, stemEach }
}

const beyondFirstPlane = /[\u{10000}-\u{10ffff}]/u

/** The order of bytes in UTF-8, as SQLite sorts: UTF-16 has what lies beyond its first plane before that plane's end. */
export function inCodePointOrder(stems: Iterable<string>): string[] {
  const all = [...stems]
  return !all.some((stem) => beyondFirstPlane.test(stem))
    ? all.sort()
    : all.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
}
