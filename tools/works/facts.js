#!/usr/bin/env node
/**
 * Weighs what public data sets say of the best-known anime, manga and manhwa
 * and writes one record of facts a work.
 *
 * node tools/works/facts.js [--data ../shared/data] [--out ../writing/facts]
 *   [--reports ../writing] [--bangumi FOLDER of npm's bangumi-data]
 *
 * A fact no source states is absent; where sources differ, the majority by
 * weight wins (the site's own id counts more than a join by title) and the
 * contradiction is listed. overrides.json corrects single works, each with its
 * reason. Exits with 1 when a check fails.
 *
 * The place of a work in its franchise is the first of these that holds:
 *   recap       it retells what another work showed, without a story of its own
 *   remake      the same story retold from its beginning by a later work
 *   film        a film (also of a spin-off), unless the franchise began with it
 *   special     a short extra (bundled, bonus, a single programme)
 *   prequel     an earlier time than the main work, made after it
 *   spin-off    other main characters, another world or a parody
 *   side-story  same cast, outside the main line
 *   sequel      carries the main line on (a season, a part of a saga)
 *   main        all else: where the franchise starts; one each in anime and print
 */
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { franchises } from './franchises.js'

const here = import.meta.dirname
const { values: args } = parseArgs({
  options: {
    data: { type: 'string', default: join(here, '../../../shared/data') },
    out: { type: 'string', default: join(here, '../../../writing/facts') },
    reports: { type: 'string', default: join(here, '../../../writing') },
    bangumi: { type: 'string' },
  },
})

/** @typedef {Record<string, string>} Row */

/** @param {string} name @returns {Row[]} */
const table = (name) =>
  parse(readFileSync(join(args.data, name)), {
    columns: true,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
  })

const overrides = JSON.parse(readFileSync(join(here, 'overrides.json'), 'utf8'))

// What the words of the lists' genre column are.
const AUDIENCES = new Set(['shounen', 'shoujo', 'seinen', 'josei', 'kids'])
const GENRES = new Set(
  (
    'Action|Adventure|Avant Garde|Boys Love|Comedy|Drama|Ecchi|Erotica|' +
    'Fantasy|Girls Love|Gourmet|Hentai|Horror|Mystery|Romance|Sci-Fi|' +
    'Slice of Life|Sports|Supernatural|Suspense'
  ).split('|'),
)
const TYPES = {
  anime: { tv: 'tv', movie: 'movie', ova: 'ova', ona: 'ona', web: 'ona' },
  extra: {
    special: 'special',
    'tv special': 'special',
    tv_special: 'special',
    'dvd special': 'special',
    music: 'music',
    'music video': 'music',
  },
  print: {
    manga: 'manga',
    'light novel': 'light-novel',
    novel: 'novel',
    manhwa: 'manhwa',
    manhua: 'manhua',
    'one-shot': 'one-shot',
    doujinshi: 'manga',
  },
}
const animeTypes = { ...TYPES.anime, ...TYPES.extra }

/** @param {string | undefined} text */
export const fold = (text) =>
  (text ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’'`´]/g, '')
    .replace(/×/g, 'x')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** @template K, V @param {Map<K, V[]>} map @param {K} key @param {V} value */
const push = (map, key, value) => {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** @param {Row[]} rows @param {string} key */
const byId = (rows, key) => new Map(rows.filter((r) => r[key]).map((r) => [Number(r[key]), r]))

/** @param {Row[]} rows @param {string} key */
const byTitle = (rows, key) => {
  const map = new Map()
  for (const row of rows) push(map, fold(row[key]), row)
  return map
}

const contradictions = []

/**
 * The value with most weight; lists what differs.
 * @param {string} who @param {string} what
 * @param {[source: string, value: unknown, weight: number][]} votes
 */
const weigh = (who, what, votes) => {
  const cast = votes.filter(([, value]) => value !== undefined && value !== '')
  if (cast.length === 0) return undefined
  const sums = new Map()
  for (const [, value, weight] of cast) sums.set(value, (sums.get(value) ?? 0) + weight)
  const ranked = [...sums].sort((a, b) => b[1] - a[1])
  if (ranked.length > 1)
    contradictions.push({
      who,
      what,
      kept: ranked[0][0],
      votes: cast.map(([source, value]) => `${source}=${value}`).join(' '),
    })
  return ranked[0][0]
}

/** @param {string | undefined} date */
const yearOf = (date) => {
  if (!date) return undefined
  const first = date.split(' to ')[0].trim()
  const full = /\b(19|20)\d\d\b/.exec(first)
  if (full) return Number(full[0])
  const short = /^\d{1,2}-[A-Z][a-z]{2}-(\d\d)$/.exec(first)
  if (!short) return undefined
  const two = Number(short[1])
  return two > 30 ? 1900 + two : 2000 + two
}

/** @param {unknown} value */
const count = (value) => {
  const n = Math.round(Number(value))
  return Number.isFinite(n) && n > 0 ? n : undefined
}

/** Of `24 min. per ep.` and `1 hr. 45 min.`; a part of a minute counts as one. @param {string | undefined} text */
const minutesOf = (text) => {
  const of = (unit) => Number(new RegExp(`(\\d+)\\s*${unit}`).exec(text ?? '')?.[1] ?? 0)
  const seconds = of('h') * 3600 + of('m') * 60 + of('s')
  return seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : undefined
}

/** @param {string | undefined} text */
const words = (text) =>
  (text ?? '')
    .split(/[|,]/)
    .map((w) => w.trim())
    .filter((w) => w !== '' && !/^(unknown|add some|none found)$/i.test(w))

// ---------------------------------------------------------------- studios

const spelling = new Map(Object.entries(overrides.studios))
const spellingVotes = new Map()
/** @param {string} name */
const studioKey = (name) =>
  fold(name)
    .replace(/ (inc|co|ltd|corp|corporation)\b/g, '')
    .replace(/^studio /, '')
    .replace(/ /g, '')
/** @param {Row[]} rows @param {string} column @param {number} weight */
const learnSpelling = (rows, column, weight) => {
  for (const row of rows)
    for (const name of words(row[column])) {
      const key = studioKey(name)
      const votes = spellingVotes.get(key) ?? new Map()
      votes.set(name, (votes.get(name) ?? 0) + weight)
      spellingVotes.set(key, votes)
    }
}
/** @param {string} name */
const studio = (name) => {
  const key = studioKey(name)
  if (spelling.has(key)) return spelling.get(key)
  const votes = [...(spellingVotes.get(key) ?? [[name, 1]])]
  return votes.sort((a, b) => b[1] - a[1])[0][0]
}

/** @param {string | undefined} text */
const pythonList = (text) =>
  [...(text ?? '').matchAll(/"'((?:[^"\\]|\\.)*?)'"|'([^']*)'/g)].map((m) => (m[1] ?? m[2]).trim())

/** @param {string[]} all */
const sortGenres = (all) => {
  const seen = new Set()
  const out = { genres: [], themes: [], audience: undefined }
  for (const word of all) {
    if (seen.has(word)) continue
    seen.add(word)
    const low = word.toLowerCase()
    if (AUDIENCES.has(low)) out.audience ??= low
    else if (GENRES.has(word)) out.genres.push(word)
    else if (word !== 'General') out.themes.push(word)
  }
  return out
}

/** Drops what is absent or empty. @param {Record<string, unknown>} record */
const compact = (record) => {
  for (const [key, value] of Object.entries(record))
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
      delete record[key]
  return record
}

/** @param {string[]} others @param {(string | undefined)[]} known */
const otherTitles = (others, known) => {
  const seen = new Set(known.filter(Boolean).map((t) => fold(t)))
  const out = []
  for (const title of others) {
    const key = fold(title)
    if (key === '' || seen.has(key) || title.length > 80) continue
    seen.add(key)
    out.push(title)
  }
  return out.length > 0 ? out.slice(0, 6) : undefined
}

// ------------------------------------------------------------------ anime

const animeList = table('mal_anime_3000.csv')
const titles2026 = byId(table('facts/anime_titles_2006_2026.csv'), 'mal_id')
const facts2022 = byId(table('facts/anime_facts_2022.csv'), 'mal_id')
const relatedRows = table('facts/anime_related_2024.csv')
const related2024 = byId(relatedRows, 'mal_id')
const idRows = table('facts/anime_ids.csv')
const ids = byId(idRows, 'myanimelist')
const planet = new Map(table('facts/anime_tags_2023.csv').map((r) => [r.slug, r]))
const nativeRows = table('facts/anime_native_titles_2022.csv')
const nativeTitles = byTitle(nativeRows, 'Title')
const planetTexts = byTitle(table('Anime_data.csv'), 'Name')
const anilist = byTitle(table('anime4500.csv'), 'Title')
learnSpelling([...titles2026.values()], 'studios', 3)
learnSpelling([...facts2022.values()], 'studios', 2)
learnSpelling(nativeRows, 'Studios', 1)

const bangumi = new Map()
if (args.bangumi) {
  const { items } = JSON.parse(readFileSync(join(args.bangumi, 'dist/data.json'), 'utf8'))
  for (const item of items)
    for (const site of item.sites)
      if (site.site === 'mal' && !bangumi.has(Number(site.id))) bangumi.set(Number(site.id), item)
}

const SOURCES = {
  'web novel': 'web-novel',
  'light novel': 'light-novel',
  'light novel ': 'light-novel',
  'visual novel': 'visual-novel',
  '4-koma manga': '4-koma-manga',
  'web manga': 'web-manga',
  'digital manga': 'web-manga',
  'video game': 'game',
  'card game': 'card-game',
  'picture book': 'picture-book',
  'mixed media': 'mixed-media',
  'multimedia project': 'mixed-media',
}
/** @param {string | undefined} text */
const sourceOf = (text) => {
  const low = (text ?? '').toLowerCase().replaceAll('_', ' ').trim()
  if (low === '' || low === 'unknown' || low === 'other') return undefined
  return SOURCES[low] ?? low.replaceAll(' ', '-')
}

/** Rows found by title that agree in type or year with what ids say. */
const agreeing = (rows, type, year, typeColumn, dateOf) => {
  const fitting = (rows ?? []).filter((row) => {
    const t = animeTypes[row[typeColumn]?.toLowerCase().replace('_', ' ')]
    const y = dateOf(row)
    return (
      (type === undefined || t === undefined || t === type) &&
      (year === undefined || y === undefined || Math.abs(y - year) <= 1)
    )
  })
  return fitting.length === 1 ? fitting[0] : undefined
}

const anime = animeList.map((row, index) => {
  const mal = Number(row.item_id)
  const who = `anime ${index + 1} ${mal} ${row.title}`
  const t = titles2026.get(mal)
  const f = facts2022.get(mal)
  const r = related2024.get(mal)
  const id = ids.get(mal)
  const ap = id?.animeplanet ? planet.get(id.animeplanet) : undefined
  const b = bangumi.get(mal)
  const own = overrides.works[`anime:${mal}`] ?? {}

  const idType = t?.type ?? f?.type ?? r?.media_type
  const idYear = yearOf(t?.aired_from) ?? yearOf(r?.start_date) ?? yearOf(f?.aired)
  const n = agreeing(
    nativeTitles.get(fold(row.title)),
    idType && animeTypes[idType.toLowerCase()],
    idYear,
    'Type',
    (x) => yearOf(x.Aired),
  )
  const al = agreeing(
    anilist.get(fold(row.title)),
    idType && animeTypes[idType.toLowerCase()],
    idYear,
    'Type',
    (x) => count(x['Season Year']),
  )
  const typeOf = (text) => animeTypes[text?.toLowerCase().replace('_', ' ')]
  const type = weigh(who, 'type', [
    ['titles2026', typeOf(t?.type), 3],
    ['facts2022', typeOf(f?.type), 2],
    ['related2024', typeOf(r?.media_type), 2],
    ['native2022', typeOf(n?.Type), 1],
    ['anilist', typeOf(al?.Type), 1],
    ...(ap && ap.format !== 'Other' ? [['planet', typeOf(ap.format), idType ? 0.5 : 1]] : []),
  ])
  // The lists write it in the title where no source has the work.
  const titled = /\bMovie\b/.test(row.title)
    ? 'movie'
    : /\bOVA\b/.test(row.title)
      ? 'ova'
      : /\bSpecials?\b/.test(row.title)
        ? 'special'
        : undefined
  const bangumiYear = b ? yearOf(b.begin?.slice(0, 10)) : undefined
  const year = weigh(who, 'year', [
    ['titles2026', yearOf(t?.aired_from), 2],
    ['related2024', yearOf(r?.start_date), 2],
    ['facts2022', yearOf(f?.aired), 2],
    ['bangumi', bangumiYear, 1],
    ['native2022', yearOf(n?.Aired), 1],
    ['anilist', count(al?.['Season Year']), 0.5],
    ['planet', count(ap?.year), 0.5],
  ])
  const episodes = weigh(who, 'episodes', [
    ['titles2026', count(t?.episodes), 3],
    ['related2024', count(r?.num_episodes), 2],
    ['facts2022', count(f?.episodes), 2],
    ['native2022', count(n?.Episodes), 1],
    ['anilist', count(al?.Episodes), 0.5],
    ['planet', count(ap?.episodes), 0.5],
  ])
  const minutes = weigh(who, 'minutes', [
    ['titles2026', minutesOf(t?.duration), 3],
    ['facts2022', minutesOf(f?.duration), 2],
    ['anilist', count(al?.Duration), 0.5],
  ])
  const source = weigh(who, 'source', [
    ['titles2026', sourceOf(t?.source), 3],
    ['facts2022', sourceOf(f?.source), 2],
    ['native2022', sourceOf(n?.Source), 1],
    ['anilist', sourceOf(al?.Source), 1],
  ])
  const studioLists = [
    ['titles2026', words(t?.studios), 3],
    ['facts2022', words(f?.studios), 2],
    ['native2022', words(n?.Studios), 1.5],
    ['planet', words(ap?.studio), 1],
  ].map(([name, list, weight]) => [name, [...new Set(list.map(studio))].join('|'), weight])
  // The same studios in another order are no contradiction.
  const sorted = (list) => list.split('|').sort().join('|')
  const first = new Map()
  for (const vote of studioLists) {
    const set = sorted(vote[1])
    if (first.has(set)) vote[1] = first.get(set)
    else first.set(set, vote[1])
  }
  const studios = words(weigh(who, 'studios', studioLists))

  const kinds = sortGenres([
    ...row.genres.split('|').filter(Boolean),
    ...(row.genres === ''
      ? [...words(t?.genres ?? f?.genres ?? r?.genres), ...words(t?.themes ?? f?.theme)]
      : []),
  ])
  const audience = weigh(who, 'audience', [
    ['list', kinds.audience, 3],
    ['titles2026', words(t?.demographics)[0]?.toLowerCase(), 2],
    ['facts2022', words(f?.demographic)[0]?.toLowerCase(), 1],
  ])
  const adult =
    kinds.genres.includes('Hentai') ||
    kinds.genres.includes('Erotica') ||
    r?.nsfw === 'black' ||
    r?.rating === 'rx' ||
    t?.is_hentai === 'True' ||
    /^Rx/.test(f?.rating ?? '') ||
    al?.['Is Adult'] === 'True'

  // Anime-Planet's name of a special or OVA is a description more than a title.
  const close = (x) => fold(x).replace(/ /g, '')
  const planetTitle =
    ['tv', 'movie', 'ona'].includes(type) && !/email.protected/.test(ap?.name ?? '')
      ? ap?.name
      : undefined
  const english =
    t?.title_english || [r?.title, planetTitle].find((x) => x && close(x) !== close(row.title))
  const native = t?.title_japanese || (b?.lang === 'ja' ? b.title : undefined) || n?.Japanese
  const titles = compact({
    romaji: row.title,
    english: english && close(english) !== close(row.title) ? english : undefined,
    native: native && native !== 'none' ? native : undefined,
    other: otherTitles(
      [...(t?.title_synonyms ?? '').split('|'), ...(ap ? [ap.name] : [])].map((x) => x.trim()),
      [row.title, english, native],
    ),
  })
  return {
    record: compact({
      mal,
      anilist: count(id?.anilist),
      rank: index + 1,
      titles,
      type: type ?? titled,
      year,
      // Still running: what older sources counted is out of date.
      episodes: (t && !count(t.episodes)) || (!t && r?.num_episodes === '0') ? undefined : episodes,
      minutes,
      studios,
      director: undefined,
      source,
      audience,
      genres: kinds.genres,
      themes: kinds.themes,
      adult,
      ...own.facts,
    }),
    kind: 'anime',
    text: [
      row.description,
      al?.Description,
      ap && planetTexts.get(fold(ap.name))?.[0].Description,
    ].find((x) => x && x.length >= 60 && !/^no synopsis/i.test(x)),
    hasPrequel: r?.prequel === 'True',
    main: count(r?.main_anime),
    related: (r?.related ?? '').split(' ').filter(Boolean).map(Number),
    trakt: id?.trakt ? `${id.trakt_type}:${id.trakt}` : undefined,
    planetName: ap?.name,
    tags: (ap?.tags ?? '').split(';').filter(Boolean),
  }
})

// ------------------------------------------------------------------ print

const mangaRows = table('facts/manga_facts_2024.csv')
const mangaByTitle = new Map()
for (const row of mangaRows) {
  // "First (English)": known under both halves and the whole.
  push(mangaByTitle, fold(row.Title), { row, english: undefined })
  for (const m of row.Title.matchAll(/ \(/g)) {
    if (!row.Title.endsWith(')')) break
    push(mangaByTitle, fold(row.Title.slice(0, m.index)), {
      row,
      english: row.Title.slice(m.index + 2, -1),
    })
  }
}

// The source lists authors as "Family,Given" but has split its list at every
// comma and paired the pieces again, so that a pen name shifts all after it:
// "Chugong,Jang", "Sung-rak,Disciples". The pieces are paired here, by
// what else the source has as a family name, a given name or a pen name.
const pieces = (row) =>
  pythonList(row.Author).flatMap((a) =>
    a
      .split(',')
      .map((p) => p.trim())
      .filter(Boolean),
  )
const KOREAN = new Set(
  (
    'Ahn An Bae Baek Bang Cha Chae Cho Choi Chung Ha Han Heo Hong Huh Hwang Im Jang Jeon ' +
    'Jeong Jin Jo Joo Ju Jung Kang Kim Ko Koo Kwak Kwon Lee Lim Min Moon Nam Noh Oh Park ' +
    'Ryu Seo Seok Shin Sim Son Song Sung Woo Yang Yeo Yim Yoo Yoon Yu Yun CHO Choo Cheon Gwon Go ' +
    'Hyung Ji Mang Mun Na Ro Rue Seong Soo Won'
  ).split(' '),
)
const seen = { family: new Map(), given: new Map(), pen: new Map(), pair: new Map() }
const add = (map, key) => map.set(key, (map.get(key) ?? 0) + 1)
for (const row of mangaRows) {
  const list = pieces(row)
  if (list.length === 1) add(seen.pen, list[0])
  // Two pieces are one person nearly always, except among Korean pen names.
  else if (list.length === 2 && !/manhwa|manhua/i.test(row.Types)) {
    add(seen.family, list[0])
    add(seen.given, list[1])
    add(seen.pair, list.join(','))
  }
}
const weight = (map, key) => Math.log(1 + (map.get(key) ?? 0))
/** @param {Row} row */
function authorsOf(row) {
  const list = pieces(row)
  const korean = /manhwa|manhua/i.test(row.Types)
  const scorePair = (a, b) => {
    if (korean) return KOREAN.has(a) && !KOREAN.has(b) ? 2.2 : -1
    return 1.2 + weight(seen.family, a) + weight(seen.given, b) + 2 * weight(seen.pair, `${a},${b}`)
  }
  const scorePen = (a) => {
    if (korean) return KOREAN.has(a) ? -0.5 : 1
    const named = Math.max(weight(seen.family, a), weight(seen.given, a))
    return 0.5 + 2 * weight(seen.pen, a) - named
  }
  // best[i]: the best reading of the first i pieces
  const best = [{ score: 0, names: [] }]
  for (let i = 1; i <= list.length; i++) {
    const pen = best[i - 1].score + scorePen(list[i - 1])
    best[i] = { score: pen, names: [...best[i - 1].names, list[i - 1]] }
    if (i < 2) continue
    const pair = best[i - 2].score + scorePair(list[i - 2], list[i - 1])
    if (pair >= pen)
      best[i] = { score: pair, names: [...best[i - 2].names, `${list[i - 1]} ${list[i - 2]}`] }
  }
  // As the source pairs them, unless another reading is clearly better.
  let asIs = 0
  const stated = pythonList(row.Author).map((author) => {
    const [a, b] = author.split(',').map((p) => p.trim())
    asIs += b ? scorePair(a, b) : scorePen(a)
    return b ? `${b} ${a}` : a
  })
  const { score, names } = best[list.length]
  return [
    ...new Set(!korean && (score < asIs + 1 || names.length > stated.length) ? stated : names),
  ]
}

const printLists = [
  ['manga', table('mal_manga_3000.csv'), 1500],
  ['manhwa', table('mal_manhwa_3000.csv'), 500],
]
const overlap = (a, b) => {
  const set = new Set(b)
  return a.filter((x) => set.has(x)).length / Math.max(1, a.length, b.length)
}

const seenPrint = new Set()
const print = []
for (const [list, rows, wanted] of printLists) {
  let rank = 0
  const taken = []
  for (const row of rows) {
    if (taken.length === wanted) break
    const mal = Number(row.item_id)
    if (seenPrint.has(mal)) continue
    seenPrint.add(mal)
    rank++
    const own = overrides.works[`manga:${mal}`] ?? {}
    const listGenres = row.genres.split('|').filter(Boolean)
    const found = (mangaByTitle.get(fold(row.title)) ?? [])
      .filter(({ row: c }) => {
        const korean = /manhwa|manhua/i.test(c.Types)
        return list === 'manhwa' ? korean || c.Types === 'Novel' : !korean
      })
      .map((c) => ({
        ...c,
        alike: overlap(
          listGenres.filter((g) => !AUDIENCES.has(g.toLowerCase())),
          pythonList(c.row.Genres),
        ),
        score:
          overlap(
            listGenres.filter((g) => !AUDIENCES.has(g.toLowerCase())),
            pythonList(c.row.Genres),
          ) +
          (list === 'manga'
            ? -Math.abs(Math.log(Number(c.row.Popularity) / (rank * 1.1 + 3)))
            : -Math.log(Number(c.row.Popularity)) / 20),
      }))
      .sort((a, b) => b.score - a.score)
    // Far from its popularity and unlike in genres: another work of that name.
    const best = found.find(
      (c, i) => (i === 0 && c.score > -1.6) || (found.length === 1 && c.alike >= 0.75),
    )
    const m = best?.row
    const kinds = sortGenres(listGenres.length > 0 ? listGenres : pythonList(m?.Genres))
    const finished = m?.Status === 'Finished'
    const chapters = count(m?.Chapters)
    const volumes = count(m?.Volumes)
    const filled = chapters === 16 || (volumes === 3 && !(chapters >= 10 && chapters <= 30))
    const audience = kinds.audience ?? (m?.Demographic.toLowerCase() || undefined)
    taken.push({
      record: compact({
        mal,
        anilist: undefined,
        rank,
        titles: compact({
          romaji: row.title,
          english:
            best?.english && fold(best.english) !== fold(row.title) ? best.english : undefined,
          native: undefined,
          other: undefined,
        }),
        type: TYPES.print[m?.Types.toLowerCase()] ?? list,
        year: yearOf(m?.['Released date']),
        volumes: finished && !filled ? volumes : undefined,
        chapters: finished && !filled ? chapters : undefined,
        authors: m && authorsOf(m),
        audience,
        genres: kinds.genres,
        themes: kinds.themes,
        adult: kinds.genres.includes('Hentai') || kinds.genres.includes('Erotica'),
        ...own.facts,
      }),
      kind: list,
      text: row.description,
      found: m !== undefined,
      tags: [],
      related: [],
    })
  }
  print.push(...taken)
}

// -------------------------------------------------------------- franchises

const all = [...anime, ...print]
// A manga that the anime of the same title was made from shares its native title.
const PRINTED = new Set(['manga', 'web-manga', '4-koma-manga'])
const nativeOf = new Map()
for (const { record } of anime)
  if (PRINTED.has(record.source) && record.titles.native && record.type !== 'special') {
    const title = fold(record.titles.romaji)
    if (!nativeOf.has(title)) nativeOf.set(title, record.titles.native)
  }
for (const { record, kind } of print) {
  const native = nativeOf.get(fold(record.titles.romaji))
  if (kind === 'manga' && native && !/TV|OVA|アニメ|animation|シリーズ|（|\(/i.test(native))
    record.titles = compact({
      romaji: record.titles.romaji,
      english: record.titles.english,
      native,
      other: record.titles.other,
    })
}

const notes = franchises({
  works: all,
  relatedRows,
  idRows,
  overrides,
  fold,
})

// ------------------------------------------------------------------ checks

const failures = []
const PLACES = 'main|sequel|film|side-story|spin-off|remake|recap|special|prequel'.split('|')
const known = new Set([...Object.values(animeTypes), ...Object.values(TYPES.print)])
for (const list of [anime, print]) {
  const malIds = new Set()
  const anilistIds = new Set()
  for (const { record } of list) {
    const who = `${record.mal} ${record.titles.romaji}`
    if (!Number.isInteger(record.mal)) failures.push(`${who}: no id`)
    if (malIds.has(record.mal)) failures.push(`${who}: id twice`)
    malIds.add(record.mal)
    if (record.anilist !== undefined) {
      if (anilistIds.has(record.anilist))
        failures.push(`${who}: AniList id ${record.anilist} twice`)
      anilistIds.add(record.anilist)
    }
    if (!record.titles.romaji) failures.push(`${who}: no title`)
    if (record.type !== undefined && !known.has(record.type))
      failures.push(`${who}: type ${record.type}`)
    if (!PLACES.includes(record.place)) failures.push(`${who}: place ${record.place}`)
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(record.franchise ?? ''))
      failures.push(`${who}: franchise ${record.franchise}`)
    if (record.year !== undefined && (record.year < 1905 || record.year > 2030))
      failures.push(`${who}: year ${record.year}`)
  }
}
// A franchise starts somewhere, on screen as in print.
for (const list of [anime, print]) {
  const mains = new Set(
    list.filter(({ record }) => record.place === 'main').map(({ record }) => record.franchise),
  )
  for (const { record } of list)
    if (!mains.has(record.franchise) && !overrides.withoutMain[record.franchise])
      failures.push(`${record.mal} ${record.titles.romaji}: ${record.franchise} has no main`)
}
// An anime and the manga of the same name are one franchise, unless said otherwise.
const separate = new Set(overrides.split.flatMap(({ pair }) => pair))
for (const { ids } of overrides.apart) for (const id of ids ?? []) separate.add(id)
const keyOf = new Map()
for (const { record } of anime) keyOf.set(fold(record.titles.romaji), record.franchise)
for (const { record } of print) {
  const other = keyOf.get(fold(record.titles.romaji))
  if (other && other !== record.franchise && !separate.has(`manga:${record.mal}`))
    failures.push(`${record.mal} ${record.titles.romaji}: ${record.franchise}, not ${other}`)
}
for (const key of Object.keys(overrides.works)) {
  const [kind, mal] = key.split(':')
  const list = kind === 'anime' ? anime : print
  if (!list.some((w) => w.record.mal === Number(mal)))
    failures.push(`overrides: ${key} is in no list`)
  if (!overrides.works[key].reason) failures.push(`overrides: ${key} no reason`)
}

// ------------------------------------------------------------------ output

mkdirSync(args.out, { recursive: true })
const ORDER = (
  'mal anilist rank titles type year episodes minutes volumes chapters studios ' +
  'authors director source audience genres themes adult franchise place'
).split(' ')
const lines = (list) =>
  list
    .map(({ record }) =>
      JSON.stringify(
        Object.fromEntries(ORDER.filter((k) => record[k] !== undefined).map((k) => [k, record[k]])),
      ),
    )
    .join('\n') + '\n'
writeFileSync(join(args.out, 'anime.jsonl'), lines(anime))
writeFileSync(join(args.out, 'manga.jsonl'), lines(print))
// What the batches need besides the facts: never a part of the project.
writeFileSync(
  join(args.out, 'evidence.jsonl'),
  all
    .map(({ kind, record, text, tags }) => JSON.stringify({ kind, mal: record.mal, text, tags }))
    .join('\n') + '\n',
)
writeFileSync(
  join(args.reports, 'contradictions.txt'),
  contradictions.map((c) => `${c.who} | ${c.what}: kept ${c.kept} | ${c.votes}`).join('\n') + '\n',
)
writeFileSync(join(args.reports, 'franchise-notes.txt'), notes.join('\n') + '\n')

for (const [name, list] of [
  ['anime', anime],
  ['print', print],
]) {
  const share = (has) =>
    `${((100 * list.filter((w) => has(w.record)).length) / list.length).toFixed(1)} %`
  console.log(
    name,
    list.length,
    ORDER.map((k) => `${k} ${share((r) => r[k] !== undefined)}`).join(', '),
    `english ${share((r) => r.titles.english)}, native ${share((r) => r.titles.native)}`,
  )
}
console.log(`contradictions ${contradictions.length}`)
if (failures.length > 0) {
  console.error(failures.join('\n'))
  process.exitCode = 1
}
