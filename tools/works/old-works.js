#!/usr/bin/env node
/**
 * Old works that the catalogue lacks: facts, batches for writers, a check and complete records.
 *   node tools/works/old-works.js batches FOLDER        writes FOLDER/facts/*.jsonl and FOLDER/batches/NNNN.txt
 *   node tools/works/old-works.js check NNNN FOLDER    lists the faults of FOLDER/done/NNNN.txt
 *   node tools/works/old-works.js compile FOLDER        writes FOLDER/anime.jsonl and FOLDER/manga.jsonl
 *
 * What to take is listed in old-works-anime.txt and old-works-manga.txt, in the order of fame: an id of MyAnimeList, then,
 * if they cannot be found out, `/franchise` and `/place` (`2829/nobodys-boy-remi/remake`). Facts come from
 * ../shared/data/facts; of manga the id comes from mal_manga_3000.csv or is before the title (`1234=Title`).
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { parseTags } from './check/draft.js'
import { faultsOfNames } from './check/names.js'
import { countWords, nameKey, opening } from './check/text.js'
import { faultsOfTags, readVocabulary } from './check/vocabulary.js'
import { baseTitle, kebab } from './franchises.js'
import { inOrder } from './members.js'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const data = at('../../../shared/data')
const works = at('../../data/works')
const [verb, ...rest] = process.argv.slice(2)
const folder = rest[verb === 'check' ? 1 : 0]
if (folder === undefined) throw new Error('expected a folder')
const size = 25

const genreNames = new Set(
  (
    'Action|Adventure|Avant Garde|Boys Love|Comedy|Drama|Ecchi|Erotica|Fantasy|Girls Love|' +
    'Gourmet|Hentai|Horror|Mystery|Romance|Sci-Fi|Slice of Life|Sports|Supernatural|Suspense'
  ).split('|'),
)
const types = {
  tv: 'tv',
  movie: 'movie',
  ova: 'ova',
  ona: 'ona',
  special: 'special',
  music: 'music',
  'tv special': 'special',
  tv_special: 'special',
  web: 'ona',
  manga: 'manga',
  'light novel': 'light-novel',
  manhwa: 'manhwa',
  'one-shot': 'one-shot',
}
const places = 'main sequel prequel film side-story special spin-off remake recap'.split(' ')

const fold = (text = '') =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

// ------------------------------------------------------------------ reading

function table(name) {
  const text = readFileSync(join(data, name))
  return parse(text, { columns: true, bom: true, relax_quotes: true, relax_column_count: true })
}

function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Entries of a list, `#` begins a remark: `id[/franchise[/place]]` or `id=Title[/franchise[/place]]`, one a word or line. */
function readList(file, separator) {
  const seen = new Set()
  return readFileSync(at(file), 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, ''))
    .join('\n')
    .split(separator)
    .map((word) => word.trim())
    .filter(Boolean)
    .map((word) => {
      const [, id, title, franchise, place] =
        /^(\d+)(?:=(.*?))?(?:\/([a-z0-9-]*))?(?:\/([a-z-]+))?$/.exec(word)
      return { mal: Number(id), title, franchise: franchise || undefined, place }
    })
    .filter(({ mal }) => !seen.has(mal) && seen.add(mal))
}

// -------------------------------------------------------------------- facts

const yearOf = (text) => Number(/\b(19|20)\d\d\b/.exec(text ?? '')?.[0]) || undefined
const positive = (value) => {
  const n = Math.round(Number(value))
  return Number.isFinite(n) && n > 0 ? n : undefined
}
const list = (text) =>
  (text ?? '')
    .split(/[|,]/)
    .map((word) => word.trim())
    .filter((word) => word !== '' && !/^(unknown|add some|none found)/i.test(word))

function minutesOf(text) {
  const of = (unit) => Number(new RegExp(`(\\d+)\\s*${unit}`).exec(text ?? '')?.[1] ?? 0)
  const seconds = of('h') * 3600 + of('m') * 60 + of('s')
  return seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : undefined
}

function animeFacts(existing) {
  const byId = (rows, key) =>
    new Map(rows.filter((row) => row[key]).map((row) => [Number(row[key]), row]))
  const facts = byId(table('facts/anime_facts_2022.csv'), 'mal_id')
  const titled = byId(table('facts/anime_titles_2006_2026.csv'), 'mal_id')
  const related = byId(table('facts/anime_related_2024.csv'), 'mal_id')
  const idRows = table('facts/anime_ids.csv')
  const ids = byId(idRows, 'myanimelist')
  const planet = new Map(table('facts/anime_tags_2023.csv').map((row) => [row.slug, row]))
  const native = new Map()
  for (const row of table('facts/anime_native_titles_2022.csv'))
    if (!native.has(fold(row.Title))) native.set(fold(row.Title), row)
  const taken = new Set(existing.anime.map(({ mal }) => mal))
  const rank = Math.max(...existing.anime.map((work) => work.rank))
  const close = (text) => fold(text).replace(/ /g, '')
  return readList('old-works-anime.txt', /\s+/)
    .filter(({ mal }) => !taken.has(mal))
    .map(({ mal, franchise, place }, index) => {
      const [f, t, r, id] = [facts, titled, related, ids].map((map) => map.get(mal))
      const p = planet.get(id?.animeplanet)
      const romaji = f?.title ?? id?.title
      const n = native.get(fold(romaji))
      const type =
        types[(f?.type || n?.Type || p?.format || r?.media_type || '').toLowerCase()] ?? 'special'
      const planetName = /email.protected/.test(p?.name ?? '') ? undefined : p?.name
      const english = [t?.title_english, r?.title, planetName].find(
        (name) => name && close(name) !== close(romaji),
      )
      const words = [...list(f?.genres), ...list(r?.genres)]
      const kinds = words.filter((word) => genreNames.has(word))
      const audience = (
        list(f?.demographic)[0] ??
        words.find((w) => /^(shounen|shoujo|seinen|josei|kids)$/i.test(w))
      )?.toLowerCase()
      const source = f?.source ?? n?.Source
      const nativeTitle = t?.title_japanese || n?.Japanese
      return {
        record: {
          mal,
          anilist: positive(id?.anilist),
          rank: rank + 1 + index,
          titles: {
            romaji,
            ...(english && { english }),
            ...(nativeTitle && !/^none$/i.test(nativeTitle) && { native: nativeTitle }),
            ...(planetName &&
              ![romaji, english].some((x) => close(x) === close(planetName)) && {
                other: [planetName],
              }),
          },
          type,
          year:
            yearOf(f?.aired?.split(' to ')[0]) ??
            yearOf(r?.start_date) ??
            yearOf(n?.Aired?.split(' to ')[0]) ??
            yearOf(p?.year),
          episodes: positive(f?.episodes) ?? positive(n?.Episodes) ?? positive(p?.episodes),
          minutes: minutesOf(f?.duration),
          status: 'finished',
          studios: firstFull(list(f?.studios), list(n?.Studios), list(p?.studio)),
          source: source && !/unknown/i.test(source) ? kebab(source) : undefined,
          audience,
          genres: [...new Set(kinds)],
          adult:
            kinds.includes('Hentai') ||
            kinds.includes('Erotica') ||
            /^Rx/.test(f?.rating ?? '') ||
            r?.nsfw === 'black',
          franchise,
          place,
        },
        names: [romaji, english, planetName],
        related: [Number(r?.main_anime)].filter(Boolean),
        trakt: id?.trakt && `${id.trakt_type}:${id.trakt}`,
        tags: list((p?.tags ?? '').replaceAll(';', ',')),
        people: [],
      }
    })
}

const firstFull = (...lists) => {
  const found = lists.find((words) => words.length > 0)
  return found && [...new Set(found)]
}

const pythonList = (text) =>
  [...(text ?? '').matchAll(/"'((?:[^"\\]|\\.)*?)'"|'([^']*)'/g)].map((m) => (m[1] ?? m[2]).trim())

function mangaFacts(existing) {
  if (!existsSync(at('old-works-manga.txt'))) return []
  const byTitle = new Map()
  for (const row of table('facts/manga_facts_2024.csv')) {
    const english = /^(.*?) \((.*)\)$/.exec(row.Title)
    const parts = english ? { romaji: english[1], english: english[2] } : { romaji: row.Title }
    for (const key of [row.Title, parts.romaji])
      if (!byTitle.has(fold(key))) byTitle.set(fold(key), { row, ...parts })
  }
  const listed = new Map(table('mal_manga_3000.csv').map((row) => [Number(row.item_id), row]))
  const taken = new Set(existing.manga.map(({ mal }) => mal))
  const rank = Math.max(
    ...existing.manga.filter((work) => work.type !== 'manhwa').map((work) => work.rank),
  )
  const spelled = new Map()
  const plain = (name) =>
    fold(name).replace(/ou|oo/g, 'o').replace(/uu/g, 'u').split(' ').sort().join(' ')
  for (const work of [...existing.anime, ...existing.manga])
    for (const name of work.authors ?? []) spelled.set(plain(name), name)
  return readList('old-works-manga.txt', '\n')
    .filter(({ mal }) => !taken.has(mal))
    .map(({ mal, title, franchise, place }, index) => {
      const name = title ?? listed.get(mal)?.title
      const found = byTitle.get(fold(name))
      if (!found) throw new Error(`manga ${mal} ${name}: no facts`)
      const { row } = found
      const words = [...pythonList(row.Genres), ...list(listed.get(mal)?.genres)]
      const finished = row.Status === 'Finished'
      const volumes = positive(row.Volumes)
      const chapters = positive(row.Chapters)
      // The source fills in 3 and 16 where it knows nothing.
      const filled = chapters === 16 || (volumes === 3 && !(chapters >= 10 && chapters <= 30))
      const kinds = words.filter((word) => genreNames.has(word))
      const authors = pythonList(row.Author)
        .map((author) =>
          author
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
            .reverse()
            .join(' '),
        )
        .filter((author) => author !== '' && !/^studio /i.test(author))
        .map((author) => spelled.get(plain(author)) ?? author)
      const magazine = /^(unknown|none)?$/i.test(row.Serialization?.trim() ?? '')
        ? undefined
        : row.Serialization.trim()
      return {
        record: {
          mal,
          rank: rank + 1 + index,
          titles: {
            romaji: found.romaji,
            ...(found.english &&
              fold(found.english) !== fold(found.romaji) && { english: found.english }),
          },
          type: types[row.Types.toLowerCase()] ?? 'manga',
          year: yearOf(row['Released date']),
          volumes: finished && !filled ? volumes : undefined,
          chapters: finished && !filled ? chapters : undefined,
          status: finished
            ? 'finished'
            : /hiatus/i.test(row.Status)
              ? 'hiatus'
              : /discontinued/i.test(row.Status)
                ? 'cancelled'
                : 'ongoing',
          authors: authors.length > 0 ? [...new Set(authors)] : undefined,
          magazines: magazine && [magazine],
          audience: /^(shounen|shoujo|seinen|josei|kids)$/i.test(row.Demographic)
            ? row.Demographic.toLowerCase()
            : undefined,
          genres: [...new Set(kinds)],
          adult: kinds.includes('Hentai') || kinds.includes('Erotica'),
          franchise,
          place,
        },
        names: [found.romaji, found.english, row.Title],
        related: [],
        tags: words.filter((word) => !genreNames.has(word)),
        people: [],
      }
    })
}

// --------------------------------------------------------------- franchises

function franchisesOf(anime, manga, existing) {
  const keys = new Map()
  const ofId = new Map()
  const ofTrakt = new Map()
  const mains = { anime: new Set(), manga: new Set() }
  const people = new Map()
  const trakt = new Map(
    table('facts/anime_ids.csv')
      .filter((row) => row.trakt && row.myanimelist)
      .map((row) => [Number(row.myanimelist), `${row.trakt_type}:${row.trakt}`]),
  )
  const learn = (names, franchise) => {
    for (const name of names.filter(Boolean))
      for (const key of [fold(name), fold(baseTitle(name))])
        if (key.length > 2 && !keys.has(key)) keys.set(key, franchise)
  }
  for (const file of ['anime', 'manga'])
    for (const work of existing[file]) {
      learn([work.titles.romaji, work.titles.english], work.franchise)
      if (work.place === 'main') mains[file].add(work.franchise)
      if (file === 'anime') {
        ofId.set(work.mal, work.franchise)
        if (trakt.has(work.mal)) ofTrakt.set(trakt.get(work.mal), work.franchise)
      }
      people.set(work.franchise, [
        ...(people.get(work.franchise) ?? []),
        ...(work.characters ?? []),
      ])
    }
  for (const [file, entries] of Object.entries({ anime, manga }))
    for (const entry of entries) {
      const { record } = entry
      const known = (name) =>
        keys.get(fold(name)) ??
        keys.get(fold(baseTitle(name))) ??
        keys.get(fold(name.split(/: | - /)[0]))
      record.franchise ??=
        entry.names.filter(Boolean).map(known).find(Boolean) ??
        ofTrakt.get(entry.trakt) ??
        entry.related.map((id) => ofId.get(id)).find(Boolean) ??
        kebab(baseTitle((record.titles.english ?? record.titles.romaji).split(/: | - /)[0]))
      const fallback =
        { movie: 'film', tv: 'sequel', special: 'special' }[record.type] ?? 'side-story'
      record.place ??= mains[file].has(record.franchise) ? fallback : 'main'
      if (!places.includes(record.place)) throw new Error(`${record.mal}: place ${record.place}`)
      if (record.place === 'main') {
        if (mains[file].has(record.franchise))
          console.log(`${file} ${record.mal}: a second main of ${record.franchise}`)
        mains[file].add(record.franchise)
      }
      learn(entry.names, record.franchise)
      if (file === 'anime') {
        ofId.set(record.mal, record.franchise)
        if (entry.trakt && !ofTrakt.has(entry.trakt)) ofTrakt.set(entry.trakt, record.franchise)
      }
      entry.people = [...new Set(people.get(record.franchise) ?? [])].slice(0, 8)
    }
  for (const { record } of [...anime, ...manga])
    if (!mains.anime.has(record.franchise) && !mains.manga.has(record.franchise))
      console.log(`${record.mal}: ${record.franchise} has no main`)
}

function readExisting() {
  return {
    anime: readLines(join(works, 'anime.jsonl')),
    manga: readLines(join(works, 'manga.jsonl')),
  }
}

function batches() {
  const existing = readExisting()
  const anime = animeFacts(existing)
  const manga = mangaFacts(existing)
  franchisesOf(anime, manga, existing)
  for (const part of ['facts', 'batches', 'claims', 'done'])
    mkdirSync(join(folder, part), { recursive: true })
  for (const [file, entries] of Object.entries({ anime, manga }))
    writeFileSync(
      join(folder, 'facts', `${file}.jsonl`),
      entries.map(({ record }) => `${JSON.stringify(inOrder(record))}\n`).join(''),
    )
  // Anime are 0001, 0002 ..., manga 1001, 1002 ...
  for (const [letter, first, entries] of [
    ['a', 1, anime],
    ['m', 1001, manga],
  ])
    for (let from = 0; from < entries.length; from += size)
      writeFileSync(
        join(folder, 'batches', `${String(first + from / size).padStart(4, '0')}.txt`),
        entries
          .slice(from, from + size)
          .map((entry) => describe(letter, entry))
          .join('\n') + '\n',
      )
  console.log(`${anime.length} anime, ${manga.length} manga`)
}

function describe(letter, { record, tags, people }) {
  const { romaji, english } = record.titles
  const line = [
    `# ${letter}${record.mal} | ${[english, romaji].filter(Boolean).join(' / ')}`,
    `${record.type} ${record.year ?? '?'} ${record.episodes ?? ''}`.trim(),
    `${record.place} of ${record.franchise}`,
    (record.studios ?? record.authors ?? []).join(', '),
    [...record.genres, ...tags].slice(0, 14).join(', '),
  ].join(' | ')
  return people.length > 0 ? `${line}\n  people: ${people.join(', ')}` : line
}

// -------------------------------------------------------------------- check

const fields = ['T', 'B', 'N', 'C', 'S', 'A', 'R', 'M', 'X']
const descriptions = ['A', 'R', 'M']

function parseDone(text) {
  const found = []
  const faults = []
  for (const [number, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const head = /^#\s*([am]\d+)\b/.exec(line)
    const field = /^([A-Z]:|-|!|~)\s+(\S.*)$/.exec(line)
    const work = found.at(-1)
    if (head) found.push({ key: head[1], scenes: [], spoilers: [], looksLike: [] })
    else if (!field || !work)
      faults.push(`line ${number + 1}: not understood: ${line.slice(0, 60)}`)
    else if (field[1] === '-') work.scenes.push(field[2].trim())
    else if (field[1] === '!') work.spoilers.push(field[2].trim())
    else if (field[1] === '~') work.looksLike.push(field[2].trim())
    else if (!fields.includes(field[1][0])) faults.push(`line ${number + 1}: no field ${field[1]}`)
    else if (work[field[1][0]] !== undefined) faults.push(`${work.key} ${field[1]} is given twice`)
    else work[field[1][0]] = field[2].trim()
  }
  return { works: found, faults }
}

function faultsOfDone(name) {
  const vocabulary = readVocabulary(join(works, 'tags.json'))
  const facts = readFacts()
  const wanted = [
    ...readFileSync(join(folder, 'batches', `${name}.txt`), 'utf8').matchAll(/^# ([am]\d+) \|/gm),
  ].map(([, key]) => key)
  const { works: found, faults } = parseDone(
    readFileSync(join(folder, 'done', `${name}.txt`), 'utf8'),
  )
  const seen = new Set()
  const openings = new Map()
  for (const work of found) {
    if (seen.has(work.key)) faults.push(`${work.key}: written twice`)
    seen.add(work.key)
    if (!facts.has(work.key)) faults.push(`${work.key}: there are no facts`)
    else if (work.X === undefined) {
      for (const fault of faultsOfWork(work, facts.get(work.key), vocabulary))
        faults.push(`${work.key} ${fault}`)
      for (const field of descriptions)
        if (work[field])
          openings.set(opening(work[field]), [
            ...(openings.get(opening(work[field])) ?? []),
            `${work.key} ${field}`,
          ])
    }
  }
  for (const [said, holders] of openings)
    if (holders.length > 2)
      faults.push(`${holders.slice(2).join(', ')}: a third or later text begins "${said}"`)
  for (const key of wanted) if (!seen.has(key)) faults.push(`${key}: missing`)
  return faults
}

function faultsOfWork(work, { titles }, vocabulary) {
  const faults = []
  const names = ['romaji', 'english', 'native', 'other'].flatMap((field) => titles[field] ?? [])
  const { tags, faults: unread } = parseTags(work.T ?? '')
  for (const fault of [...unread, ...faultsOfTags(vocabulary, tags)]) faults.push(`T: ${fault}`)
  if (!['memory', 'mixed', 'text'].includes(work.B))
    faults.push('B: expected memory, mixed or text')
  const length = (field, text, [least, most]) => {
    const count = countWords(text)
    if (count < least || count > most) faults.push(`${field}: ${count} words; ${least} to ${most}`)
    const odd = /[^\x20-\x7e]/u.exec(text)
    if (odd) faults.push(`${field}: "${odd[0]}" is not ASCII`)
  }
  const nameless = (field, text) => {
    for (const fault of faultsOfNames(text, names)) faults.push(`${field}: ${fault}`)
  }
  if (work.S === undefined) faults.push('S: missing')
  else length('S', work.S, [55, 95])
  for (const field of descriptions)
    if (work[field] === undefined) faults.push(`${field}: missing`)
    else {
      length(field, work[field], [8, 35])
      nameless(field, work[field])
    }
  const lines = [...work.scenes, ...work.spoilers]
  const least = work.B === 'memory' ? 6 : 4
  if (lines.length < least || lines.length > 10)
    faults.push(`scenes: ${lines.length}; ${least} to 10`)
  for (const [index, line] of lines.entries()) {
    length(`scene ${index + 1}`, line, [6, 24])
    nameless(`scene ${index + 1}`, line)
  }
  if (new Set(lines).size < lines.length) faults.push('scenes: one is written twice')
  for (const line of work.looksLike) length('looks like', line, [1, 20])
  const cast = charactersOf(work)
  if (cast && (cast.length < 2 || cast.length > 8)) faults.push(`C: ${cast.length} names; 2 to 8`)
  return faults
}

const charactersOf = ({ C }) =>
  C && [
    ...new Set(
      C.split('|')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ]

function check(name) {
  const faults = faultsOfDone(name)
  for (const fault of faults) console.log(fault)
  console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults`)
}

// ------------------------------------------------------------------ compile

function readFacts() {
  return new Map(
    [
      ['a', 'anime'],
      ['m', 'manga'],
    ].flatMap(([letter, file]) =>
      readLines(join(folder, 'facts', `${file}.jsonl`)).map((fact) => [
        `${letter}${fact.mal}`,
        fact,
      ]),
    ),
  )
}

function compile() {
  const vocabulary = readVocabulary(join(works, 'tags.json'))
  const facts = readFacts()
  const written = new Map()
  let leftOut = 0
  for (const name of readdirSync(join(folder, 'done'))
    .filter((file) => file.endsWith('.txt'))
    .toSorted())
    for (const work of parseDone(readFileSync(join(folder, 'done', name), 'utf8')).works) {
      const fact = facts.get(work.key)
      if (work.X !== undefined) leftOut += 1
      else if (!fact) console.log(`${name} ${work.key}: there are no facts`)
      else {
        const faults = faultsOfWork(work, fact, vocabulary)
        if (faults.length > 0) console.log(`${name} ${work.key}: left out: ${faults.join('; ')}`)
        else written.set(work.key, recordOf(fact, work))
      }
    }
  // A franchise whose main was not written: its first work represents it.
  const existing = readExisting()
  for (const [letter, file] of [
    ['a', 'anime'],
    ['m', 'manga'],
  ]) {
    const rank = Math.max(
      ...existing[file].filter((work) => work.type !== 'manhwa').map((work) => work.rank),
    )
    const records = [...written]
      .filter(([key]) => key.startsWith(letter))
      .map(([, record]) => record)
      .toSorted((a, b) => a.rank - b.rank)
    const mains = new Set(
      [...existing[file], ...records]
        .filter((work) => work.place === 'main')
        .map((work) => work.franchise),
    )
    for (const [index, record] of records.entries()) {
      record.rank = rank + 1 + index
      if (
        !mains.has(record.franchise) &&
        !existing[file].some((work) => work.franchise === record.franchise)
      ) {
        record.place = 'main'
        mains.add(record.franchise)
      }
    }
    writeFileSync(
      join(folder, `${file}.jsonl`),
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    )
    console.log(`${file}: ${records.length} works`)
  }
  console.log(`${leftOut} left out`)
}

function recordOf(fact, work) {
  const { romaji, english, native, other = [] } = fact.titles
  const seen = new Set([romaji, english, native].filter(Boolean).map(nameKey))
  const more = [...other, ...(work.N ?? '').split('|').map((name) => name.trim())].filter(
    (name) => name !== '' && !seen.has(nameKey(name)) && seen.add(nameKey(name)),
  )
  const { tags } = parseTags(work.T)
  const or = (items) => (items?.length > 0 ? items : undefined)
  return inOrder({
    ...fact,
    titles: {
      romaji,
      ...(english && { english }),
      ...(native && { native }),
      ...(more.length > 0 && { other: more }),
    },
    characters: or(charactersOf(work)),
    tags: Object.fromEntries(
      Object.entries(tags).toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b)),
    ),
    synopsis: work.S,
    descriptions: descriptions.map((field) => work[field]),
    scenes: or(work.scenes),
    spoilers: or(work.spoilers),
    looksLike: or(work.looksLike),
    basis: work.B,
  })
}

if (verb === 'batches') batches()
else if (verb === 'check') check(rest[0])
else if (verb === 'compile') compile()
else throw new Error('expected batches, check NNNN or compile')
