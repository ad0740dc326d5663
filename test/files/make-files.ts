/** One small file of each kind that people bring, made again for each run. Works, names and texts are invented. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { parquetWriteFile } from 'hyparquet-writer'
import { Database } from '#synoptic/base/util/sqlite.js'

export interface MadeFile {
  readonly name: string
  readonly dataset: 'anime' | 'manga'
  /** The first entry as the import has to read it. */
  readonly first: Readonly<Record<string, unknown>>
}

const tide = 'A lighthouse keeper finds a bottle with a letter that she wrote as a child.'
const ebb = 'Two brothers repair a broken tram and drive it through an empty city at night.'
const reef = 'A diver hears singing from a sunken school and goes down to find the choir.'

/** Rows of a table with the usual columns. */
const works = [
  {
    title: 'Tide',
    type: 'TV',
    year: 2004,
    episodes: 12,
    score: 8.5,
    genres: 'Drama, Mystery',
    synopsis: tide,
  },
  {
    title: 'Ebb',
    type: 'Movie',
    year: 2010,
    episodes: 1,
    score: 7.25,
    genres: 'Adventure',
    synopsis: ebb,
  },
  {
    title: 'Reef',
    type: 'OVA',
    year: 1999,
    episodes: 2,
    score: 5.05,
    genres: 'Horror',
    synopsis: reef,
  },
]
const columns = Object.keys(works[0] ?? {}) as (keyof (typeof works)[0])[]
const grid = [columns, ...works.map((work) => columns.map((name) => work[name]))]
const usual = { title: 'Tide', type: 'tv', year: 2004, genres: ['Drama', 'Mystery'] }

const texts = [tide, ebb, reef]
const anilistMedia = ['Tide', 'Ebb', 'Reef'].map((name, at) => ({
  id: 900 + at,
  idMal: 500 + at,
  title: {
    romaji: `${name} no Uta`,
    english: name,
    native: '潮の歌',
    userPreferred: `${name} no Uta`,
  },
  type: 'ANIME',
  format: 'TV',
  status: 'FINISHED',
  description: `${texts[at] ?? ''}<br><br>(Source: A Site)`,
  startDate: { year: 2004 + at, month: 4, day: 3 },
  episodes: 12,
  duration: 24,
  chapters: null,
  volumes: null,
  genres: ['Drama'],
  averageScore: 82,
  popularity: 1000 - at,
  isAdult: false,
  coverImage: { large: `https://covers.example/${at}.jpg` },
  tags: [
    { name: 'Time Loop', rank: 91, isMediaSpoiler: false },
    { name: 'Revenge', rank: 40, isMediaSpoiler: true },
  ],
  studios: { nodes: [{ name: 'Studio Shore' }] },
}))
const anilistFirst = {
  title: 'Tide no Uta',
  type: 'tv',
  year: 2004,
  score: 8.2,
  metadata: { malId: 500, anilistId: 900, titleEnglish: 'Tide', titleJapanese: '潮の歌' },
  text: tide,
}

const malNodes = ['Tide', 'Ebb', 'Reef'].map((name, at) => ({
  node: {
    id: 500 + at,
    title: `${name} no Uta`,
    main_picture: { medium: 'https://covers.example/m.jpg', large: 'https://covers.example/l.jpg' },
    alternative_titles: { synonyms: [`${name} Song`], en: name, ja: '潮の歌' },
    start_date: '2004-04-03',
    synopsis: `${texts[at] ?? ''} [Written by MAL Rewrite]`,
    mean: 8.21,
    num_list_users: 4000 - at,
    nsfw: 'white',
    media_type: 'tv',
    status: 'finished_airing',
    genres: [{ id: 8, name: 'Drama' }],
    num_episodes: 12,
    start_season: { year: 2004, season: 'spring' },
    source: 'original',
    studios: [{ id: 1, name: 'Studio Shore' }],
  },
  ranking: { rank: at + 1 },
}))
const jikan = ['Tide', 'Ebb', 'Reef'].map((name, at) => ({
  mal_id: 500 + at,
  url: 'https://site.example/anime/500',
  images: {
    jpg: {
      image_url: 'https://covers.example/1.jpg',
      large_image_url: 'https://covers.example/1l.jpg',
    },
  },
  titles: [{ type: 'Default', title: `${name} no Uta` }],
  title: `${name} no Uta`,
  title_english: name,
  title_japanese: '潮の歌',
  title_synonyms: [],
  type: 'TV',
  source: 'Manga',
  episodes: 12,
  status: 'Finished Airing',
  aired: { from: '2004-04-03T00:00:00+00:00', to: null },
  duration: '24 min per ep',
  score: 8.21,
  members: 4000 - at,
  synopsis: texts[at],
  year: 2004,
  studios: [{ mal_id: 1, type: 'anime', name: 'Studio Shore', url: 'https://site.example/1' }],
  genres: [{ mal_id: 8, type: 'anime', name: 'Drama', url: 'https://site.example/8' }],
  demographics: [],
}))
const kitsu = ['Tide', 'Ebb', 'Reef'].map((name, at) => ({
  id: `${70 + at}`,
  type: 'anime',
  links: { self: 'https://site.example/api/anime/70' },
  attributes: {
    slug: name.toLowerCase(),
    synopsis: texts[at],
    canonicalTitle: `${name} no Uta`,
    titles: { en: name, en_jp: `${name} no Uta`, ja_jp: '潮の歌' },
    abbreviatedTitles: [],
    averageRating: '82.11',
    userCount: 3000 - at,
    startDate: '2004-04-03',
    subtype: 'TV',
    status: 'finished',
    episodeCount: 12,
    episodeLength: 24,
    nsfw: false,
    posterImage: { original: 'https://covers.example/k.jpg' },
  },
}))
const mangaUpdates = ['Tide', 'Ebb', 'Reef'].map((name, at) => ({
  record: {
    series_id: 66_000_000_000 + at,
    title: name,
    url: 'https://site.example/series/1',
    description: texts[at],
    image: { url: { original: 'https://covers.example/u.jpg' } },
    type: 'Manga',
    year: '2004',
    bayesian_rating: 7.9,
    rating_votes: 120 - at,
    genres: [{ genre: 'Drama' }],
    latest_chapter: 40,
  },
  hit_title: name,
}))

const csv = (rows: readonly (readonly unknown[])[], separator: string) =>
  `${rows.map((row) => row.map((cell) => cellOf(String(cell), separator)).join(separator)).join('\r\n')}\r\n`
const cellOf = (text: string, separator: string) =>
  text.includes(separator) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text

const german = [
  [
    'Nr.',
    'E-Mail',
    'Titel',
    'Typ',
    'Erscheinungsjahr',
    'Folgen',
    'Bewertung',
    'Genre',
    'Handlung',
    'Regal',
  ],
  ['1', 'a@b.example', 'Tide', 'Serie', '13.02.2004', '12', '8,5', 'Drama; Mystery', tide, 'A1'],
  ['2', 'a@b.example', 'Ebb', 'Film', '01.03.2010', '1', '7,25', 'Adventure', ebb, 'A2'],
  ['3', 'a@b.example', 'Reef', 'OVA', '05.06.1999', '2', '5,05', 'Horror', reef, 'B1'],
]
const french = [
  ['Titre', 'Type', 'Année', 'Épisodes', 'Note', 'Genres', 'Résumé'],
  ['Tide', 'Série TV', '2004', '12', '8,5', 'Drama, Mystery', tide],
  ['Ebb', 'Film', '2010', '1', '7,25', 'Adventure', ebb],
]
const spanish = [
  ['Título', 'Tipo', 'Año', 'Episodios', 'Puntuación', 'Géneros', 'Sinopsis'],
  ['Tide', 'Serie TV', '2004', '12', '8.5', 'Drama, Mystery', tide],
  ['Ebb', 'Película', '2010', '1', '7.25', 'Adventure', ebb],
]
const portuguese = [
  ['Título', 'Tipo', 'Ano', 'Episódios', 'Nota', 'Gêneros', 'Sinopse'],
  ['Tide', 'Série de TV', '2004', '12', '8.5', 'Drama, Mystery', tide],
  ['Ebb', 'Filme', '2010', '1', '7.25', 'Adventure', ebb],
]
const italian = [
  ['Titolo', 'Tipo', 'Anno', 'Episodi', 'Voto', 'Generi', 'Trama'],
  ['Tide', 'Serie TV', '2004', '12', '8,5', 'Drama, Mystery', tide],
  ['Ebb', 'Film', '2010', '1', '7,25', 'Adventure', ebb],
]
const japanese = [
  ['タイトル', '種類', '放送年', '話数', '評価', 'ジャンル', 'あらすじ'],
  ['Tide', 'テレビ', '2004', '12', '8.5', 'Drama, Mystery', tide],
  ['Ebb', '映画', '2010', '1', '7.25', 'Adventure', ebb],
]

/** `zstd -19` of works.csv; not every Node can make it. */
const zstdOfCsv =
  'KLUv/WR7AK0IAHbVPR1Aj9rMTLbbiHJLR6F9nAPwbFOkPlqvUesxSteYHDcANAAzAJJOh1BQcfar' +
  'FMclWXwQ4LMU0GlwwDAOOhqYTBuAwNNHravYpYTJGz18yfYplcgrK0yqasyptQMEbJBpGAdTKavA' +
  'xwMBCCxs0hatZy9Xnu29V+tzduf09dZaeU7d+/j6Y04h56QyI8832dYtmQz3Xq9ao1dNSfJuvUmT' +
  '5dZvfVKU2Zlblyzuu4yssy4q+Y+z9fLjW2lg8qRdUhiEj7MEgMDCui16tv72XWXZX6407bboucn7' +
  'umQZcsnp++OV7ZwUZYeQl3kT+DDLgw4aDIYGIccCIQEJCJD2AQTLhEexg976NUcLNhN2TXiZegZv' +
  'kgGH2epF'

/** Writes all files into the folder, which must exist. */
export async function makeFiles(folder: string): Promise<readonly MadeFile[]> {
  mkdirSync(folder, { recursive: true })
  const made: MadeFile[] = []
  const add = (name: string, content: string | Uint8Array, about: Partial<MadeFile> = {}) => {
    writeFileSync(join(folder, name), content)
    made.push({ name, dataset: 'anime', first: usual, ...about })
  }
  add('works.csv', csv(grid, ','))
  add('works.tsv', csv(grid, '\t'))
  add('works.csv.gz', gzipSync(csv(grid, ',')))
  add('works.csv.zst', Buffer.from(zstdOfCsv, 'base64'))
  add('works.jsonl', works.map((work) => `${JSON.stringify(work)}\n`).join(''))
  add('works.json', JSON.stringify(works, undefined, 2))
  add('works.xlsx', await writeXlsx({ sheets: [{ name: 'Works', rows: grid }] }))
  add('works.ods', await writeOds({ sheets: [{ name: 'Works', rows: grid }] }))
  parquetWriteFile({
    filename: join(folder, 'works.parquet'),
    columnData: columns.map((name) => ({
      name,
      data:
        name === 'score'
          ? Float32Array.from(works, (work) => work.score)
          : works.map((work) => work[name]),
      ...(name === 'score' && { type: 'FLOAT' as const }),
    })),
  })
  made.push({ name: 'works.parquet', dataset: 'anime', first: usual })
  writeDatabase(join(folder, 'works.sqlite'))
  made.push({ name: 'works.sqlite', dataset: 'anime', first: usual })
  add('german.csv', csv(german, ';'), {
    first: { ...usual, metadata: { startDate: '2004-02-13' } },
  })
  add('french.csv', csv(french, ','))
  add('spanish.csv', csv(spanish, ','))
  add('portuguese.csv', csv(portuguese, ','))
  add('italian.csv', csv(italian, ','))
  add('japanese.csv', csv(japanese, ','))
  const page = { data: { Page: { pageInfo: { total: 3 }, media: anilistMedia } } }
  add('anilist-page.json', JSON.stringify(page), { first: anilistFirst })
  add('anilist-media.json', JSON.stringify(anilistMedia, undefined, 1), { first: anilistFirst })
  const entries = anilistMedia.map((media, at) => ({
    id: at,
    status: 'COMPLETED',
    score: 3,
    media,
  }))
  const lists = { data: { MediaListCollection: { lists: [{ name: 'Completed', entries }] } } }
  add('anilist-list.json', JSON.stringify(lists), { first: anilistFirst })
  const ofMal = { title: 'Tide no Uta', type: 'tv', year: 2004, score: 8.21, text: tide }
  add('myanimelist-api.json', JSON.stringify({ data: malNodes, paging: {} }), {
    first: { ...ofMal, metadata: { malId: 500, titleEnglish: 'Tide' } },
  })
  add('jikan.json', JSON.stringify({ pagination: {}, data: jikan }), {
    first: { ...ofMal, metadata: { malId: 500, titleEnglish: 'Tide' } },
  })
  add('kitsu.json', JSON.stringify({ data: kitsu, meta: { count: 3 } }), {
    first: { ...ofMal, id: 70, score: 8.211 },
  })
  add('mangaupdates.json', JSON.stringify({ total_hits: 3, results: mangaUpdates }), {
    dataset: 'manga',
    first: { title: 'Tide', type: 'manga', year: 2004, genres: ['Drama'], text: tide },
  })
  return made
}

function writeDatabase(path: string): void {
  const database = new Database(path)
  const types = columns.map(
    (name) => `"${name}" ${typeof works[0]?.[name] === 'number' ? 'REAL' : 'TEXT'}`,
  )
  database.exec(`CREATE TABLE notes (text TEXT); CREATE TABLE works (${types.join(', ')})`)
  const insert = database.prepare(`INSERT INTO works VALUES (${columns.map(() => '?').join(', ')})`)
  for (const work of works) insert.run(columns.map((name) => work[name]))
  database.close()
}
