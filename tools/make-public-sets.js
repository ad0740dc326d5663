/**
 * Files in the formats of public data sets, with their oddities and invented works: for tests and benchmarks.
 * Usage: node tools/make-public-sets.js FOLDER ENTRIES
 */
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create } from 'tar'
import { Database } from '#synoptic/base/util/sqlite.js'

const [folder = '', entries = ''] = process.argv.slice(2)
const count = Number(entries)
if (folder === '' || !Number.isSafeInteger(count) || count < 1) {
  throw new Error('expected a folder and a number of entries')
}

const words = 'river moon iron garden silent crown paper wolf winter engine lantern glass'.split(
  ' ',
)
const pick = (list, number) => list[number % list.length]
const wordAt = (number) => pick(words, Math.imul(number, 2654435761) >>> 8)
const textOf = (number, length) =>
  Array.from({ length }, (_, at) => wordAt(number * 131 + at * 17)).join(' ')
const titleOf = (number) => `${textOf(number, 2)} ${number}`

// anime-offline-database

/** Every ninth work has no page at MyAnimeList, and some titles have what JSON escapes. */
function anime(number) {
  const pages = [
    `https://anidb.net/anime/${number}`,
    `https://anilist.co/anime/${100_000 + number}`,
    `https://anime-planet.com/anime/work-${number}`,
    ...(number % 9 === 0 ? [] : [`https://myanimelist.net/anime/${number}`]),
  ]
  const sequel = number % 4 === 1 ? [`https://anidb.net/anime/${number + 1}`] : []
  return {
    sources: pages,
    title: number % 10 === 3 ? `"${titleOf(number)}" \\ {[]} \u{1f431}` : titleOf(number),
    type: pick(['TV', 'MOVIE', 'OVA', 'ONA', 'SPECIAL', 'UNKNOWN'], number),
    episodes: number % 7 === 0 ? 0 : number % 50,
    status: pick(['FINISHED', 'ONGOING', 'UPCOMING', 'UNKNOWN'], number),
    animeSeason:
      number % 5 === 0 ? { season: 'UNDEFINED' } : { season: 'FALL', year: 1970 + (number % 55) },
    picture: `https://example.org/${number}.jpg`,
    thumbnail: `https://example.org/${number}-small.jpg`,
    ...(number % 3 === 0 ? {} : { duration: { value: 1440, unit: 'SECONDS' } }),
    ...(number % 3 === 0 ? {} : { score: { arithmeticMean: 1 + (number % 90) / 10, median: 6 } }),
    synonyms: [`${textOf(number + 1, 3)} ${number}`, `作品${number}`, `Произведение ${number}`],
    studios: ['studio iron', 'studio-iron', 'a-1 pictures'],
    producers: ['aniplex'],
    // One is of no work of the file.
    relatedAnime: [...sequel, `https://livechart.me/anime/${number + 9_000_000}`],
    tags: [
      'action',
      'time loop',
      'earth',
      'japanese production',
      ...Array(number % 60).fill('place'),
    ],
    aMemberOfTheFuture: { list: ['}', ']'] },
  }
}

const meta = {
  license: { name: 'ODbL', url: 'https://example.org/license' },
  repository: 'https://example.org/anime-offline-database',
  scoreRange: { minInclusive: 1, maxInclusive: 10 },
  lastUpdate: '2026-01-01',
}

// MangaBaka

function manga(number) {
  const state = number % 50 === 7 ? 'merged' : number % 50 === 8 ? 'deleted' : 'active'
  return {
    id: number,
    state,
    merged_with: state === 'merged' ? number - 1 : null,
    title: titleOf(number),
    native_title: number % 3 === 0 ? null : `漫画${number}`,
    romanized_title: `${textOf(number, 2)} romaji ${number}`,
    secondary_titles: {
      en: [{ type: 'official', title: `${textOf(number + 1, 3)} ${number}` }],
      ko: [],
    },
    authors: ['Iron Writer'],
    artists: number % 2 === 0 ? ['Iron Writer'] : ['Glass Painter'],
    description: number % 6 === 0 ? null : `<p>${textOf(number, 60)}</p>\r\n&amp; more`,
    year: number % 5 === 0 ? null : 1970 + (number % 55),
    status: pick(['cancelled', 'completed', 'hiatus', 'releasing', 'upcoming', 'unknown'], number),
    type: pick(['manga', 'novel', 'manhwa', 'manhua', 'oel', 'other'], number),
    content_rating: pick(['safe', 'suggestive', 'erotica', 'safe', 'pornographic'], number),
    rating: number % 4 === 0 ? null : number % 100,
    final_volume: number % 4 === 0 ? null : String(1 + (number % 30)),
    final_chapter: null,
    total_chapters: number % 4 === 0 ? null : '12.5',
    genres: ['Action', 'Drama'],
    tags: ['Time Loop', 'Nobody Knows It'],
    publishers: [{ name: 'Paper House', type: 'Original', note: null }],
    has_anime: number % 2 === 0,
    relationships: number % 4 === 1 ? { sequel: [number + 1], other: [1] } : {},
    source: {
      anilist: { id: number % 3 === 0 ? null : 200_000 + number, rating: 70 },
      my_anime_list: { id: number % 3 === 1 ? null : 300_000 + number, rating: 7.1 },
    },
    cover: { raw: { url: `https://example.org/cover/${number}.jpg` } },
    a_member_of_the_future: null,
  }
}

/** Objects spread over columns, lists as texts of JSON. */
function recordOf({ secondary_titles, relationships, source, cover, ...series }) {
  const record = {
    ...series,
    secondary_titles_en: secondary_titles.en,
    secondary_titles_ko: null,
    relationships_sequel: relationships.sequel ?? null,
    relationships_other: relationships.other ?? null,
    source_anilist_id: source.anilist.id,
    source_anilist_rating: source.anilist.rating,
    source_my_anime_list_id: source.my_anime_list.id,
    source_my_anime_list_rating: source.my_anime_list.rating,
    cover_raw_url: cover.raw.url,
    last_updated_at: '2026-01-01T00:00:00Z',
  }
  const plain = (value) =>
    typeof value === 'boolean'
      ? Number(value)
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value)
        : value
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, plain(value)]))
}

async function writeDatabase() {
  const file = join(folder, 'series.sqlite')
  const database = new Database(file)
  const names = Object.keys(recordOf(manga(1)))
  database.exec(`PRAGMA journal_mode = OFF; CREATE TABLE series (${names.join(', ')}); BEGIN`)
  const insert = database.prepare(
    `INSERT INTO series VALUES (${names.map((name) => `@${name}`).join(', ')})`,
  )
  for (let number = 1; number <= count; number += 1) insert.run(recordOf(manga(number)))
  database.exec('COMMIT')
  database.close()
  await create({ gzip: true, cwd: folder, file: join(folder, 'series.sqlite.tar.gz') }, [
    'series.sqlite',
  ])
  rmSync(file)
}

// CSV files of MyAnimeList

const quoted = (value) => `"${String(value).replaceAll('"', '""')}"`

function* animeCsv() {
  yield '\ufeffMAL_ID,Name,English name,Japanese name,Genres,sypnopsis,Type,Episodes,Aired,Source,Rating,Score,Popularity,Studios\r\n'
  for (let number = 1; number <= count; number += 1) {
    const synopsis = number % 8 === 0 ? 'Unknown' : `${textOf(number, 60)}\n\n"${wordAt(number)}"`
    const row = [
      number,
      titleOf(number),
      'Unknown',
      `作品${number}`,
      'Action, Slice of Life',
      synopsis,

      'TV',
      number % 9 === 0 ? 'Unknown' : '25.0',
      'Apr 3, 1998 to Apr 24, 1999',
      'Light novel',
      'R - 17+',
      number % 7 === 0 ? 'Unknown' : 7.25,
      number,
      "['Studio Iron', 'Glass']",
    ]
    yield `${row.map(quoted).join(',')}\r\n${number % 100 === 0 ? '\r\n' : ''}`
  }
}

function* mangaCsv() {
  yield 'title,manga_id,genres,description,type,volumes,start_date,mean,members,authors,serializations\n'
  for (let number = 1; number <= count; number += 1) {
    const row = [
      titleOf(number),
      `${number}.0`,
      'Action|Drama',
      textOf(number, 60),
      'manga',
      '',
      '2001-04-05',
      number % 100,
      number * 10,
      "['Writer, Iron']",
      "['Monthly Iron']",
    ]
    yield `${row.map(quoted).join(',')}\n`
  }
}

function* linesOf(make, first) {
  if (first !== undefined) yield `${JSON.stringify(first)}\n`
  for (let number = 1; number <= count; number += 1) yield `${JSON.stringify(make(number))}\n`
}

/** One line, as minified documents are. */
function* documentOf(make, head) {
  yield head === undefined ? '[' : `${JSON.stringify(head).slice(0, -1)},"data":[`
  for (let number = 1; number <= count; number += 1) {
    yield `${number === 1 ? '' : ','}${JSON.stringify(make(number))}`
  }
  yield head === undefined ? ']' : ']}'
}

const write = (name, lines) => pipeline(Readable.from(lines), createWriteStream(join(folder, name)))

await write('anime-offline-database-minified.json', documentOf(anime, meta))
await write('anime-offline-database.jsonl', linesOf(anime, meta))
await write('series.jsonl', linesOf(manga))
await write('series.json', documentOf(manga))
await write('mal-anime.csv', animeCsv())
await write('mal-manga.csv', mangaCsv())
await writeDatabase()
