/**
 * Writes the queries of one part of the works (tools/works/split.js), as `synoptic eval --queries` reads them:
 *   node tools/fit-ranker/queries.js --part fitting|reporting [--output <file>]
 * Titles and descriptions are the works' own; the requests are made of facts and tags, so their answers are what
 * data/works says; queries/hand.jsonl has those that a reader judged, queries/cues.jsonl what is remembered of works.
 * Nothing is random: two runs write the same.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { partOf } from '../works/split.js'

const { values: options } = parseArgs({
  options: { part: { type: 'string' }, output: { type: 'string' } },
})
const parts = ['fitting', 'reporting']
const part = options.part ?? ''
if (!parts.includes(part))
  throw new Error(`--part: expected ${parts.join(' or ')}; training is the encoders'`)

const works = join(import.meta.dirname, '../../data/works')
const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const vocabulary = new Map(
  JSON.parse(readFileSync(join(works, 'tags.json'), 'utf8')).map((tag) => [tag.tag, tag]),
)
const phrases = Object.entries(
  JSON.parse(readFileSync(join(import.meta.dirname, 'queries/phrases.json'), 'utf8')),
)

/** Queries of a kind and dataset; fewer where the part has fewer. */
const count = { anime: 60, manga: 40 }
/** A request that fewer works fulfil has no first five. */
const minAnswers = 5
const requestKinds = new Set(['like', 'but', 'facet', 'fact', 'not', 'mood', 'theme'])

const moreOf = {
  funny: 'funny',
  dark: 'darker',
  romantic: 'more romantic',
  cozy: 'cozy',
  scary: 'scarier',
  tragic: 'sad',
  lighthearted: 'lighter',
  tense: 'more tense',
}

const worksOf = {
  anime: linesOf(join(works, 'anime.jsonl')),
  manga: linesOf(join(works, 'manga.jsonl')),
}
const queries = ['anime', 'manga'].flatMap((dataset) => {
  const all = worksOf[dataset]
  const own = shuffled(
    all.filter(({ franchise }) => partOf(franchise) === part),
    (w) => w.mal,
  )
  const kinds = kindsOf(dataset, all, own)
  return Object.entries(kinds).flatMap(([kind, make]) =>
    take(make(), count[dataset], kind, dataset),
  )
})
const hand = linesOf(join(import.meta.dirname, 'queries/hand.jsonl'))
  .filter((line) => line.part === part)
  .map(({ kind, dataset, query, ids }) => ({ kind: `${kind}, judged`, dataset, query, ids }))
const cues = linesOf(join(import.meta.dirname, 'queries/cues.jsonl'))
  .filter(
    ({ franchise, mended }) => partOf(franchise) === part && !(mended && part === 'reporting'),
  )
  .map(({ dataset, franchise, query }) => {
    const ids = worksOf[dataset]
      .filter((work) => work.franchise === franchise)
      .map(({ mal }) => mal)
    return { kind: 'scene, from memory', dataset, query, ids }
  })
const described = linesOf(join(import.meta.dirname, '../../bench/data/descriptions.jsonl'))
  .filter(({ split }) => split === { fitting: 'fit', reporting: 'report' }[part])
  .map(({ dataset, title, titles, description }) => ({
    kind: 'description, of others',
    dataset,
    query: description,
    titles: [title, ...titles],
  }))
const text = [...queries, ...hand, ...cues, ...described]
  .map((query) => `${JSON.stringify(query)}\n`)
  .join('')
if (options.output === undefined) process.stdout.write(text)
else writeFileSync(options.output, text)

/** @param {Iterable<{ query: string, ids: number[] }>} candidates */
function take(candidates, limit, kind, dataset) {
  const taken = new Map()
  for (const query of candidates) {
    if (query.query.length < 2 || taken.has(query.query)) continue
    if (requestKinds.has(kind) && query.ids.length < minAnswers) continue
    taken.set(query.query, { kind, dataset, ...query })
    if (taken.size === limit) break
  }
  return [...taken.values()]
}

function kindsOf(dataset, all, own) {
  const noun = dataset
  const idsOf = (wanted) => all.filter(wanted).map(({ mal }) => mal)
  const has =
    (tag, least = 2) =>
    (work) =>
      (work.tags[tag] ?? 0) >= least
  const titlesOf = ({ titles }) =>
    [titles.romaji, titles.english, ...(titles.other ?? [])].filter(Boolean)
  const keys = new Map()
  for (const work of all) {
    for (const key of new Set(titlesOf(work).map(keyOf)))
      keys.set(key, [...(keys.get(key) ?? []), work])
  }
  /** Of several works with a title, the main one is right. */
  const calledSo = (title) => {
    const named = keys.get(keyOf(title)) ?? []
    const mains = named.filter(({ place }) => place === 'main')
    return (mains.length > 0 ? mains : named).map(({ mal }) => mal)
  }
  const isNamed = (title) => /[a-z]{4}/i.test(title) && title.length <= 60
  const mains = own.filter(({ place }) => place === 'main')
  const known = mains.filter(({ rank }) => rank <= 900)
  const say = (tag) =>
    pick(vocabulary.get(tag).synonyms.concat(vocabulary.get(tag).name), tag + part)
  const themes = (work) => topOf(work, ['theme'], 3)
  const cast = (work) => topOf(work, ['cast', 'setting', 'relationship'], 2)
  const phrasesOfPart = shuffled(
    phrases.filter(([phrase]) => parts[hashOf(`phrase ${phrase}`) % 2] === part),
    ([phrase]) => phrase,
  )
  const anyOf = (tags, least) => (work) => tags.some((tag) => has(tag, least)(work))
  const isTone = (tags) => tags.some((tag) => vocabulary.get(tag)?.family === 'tone')
  const requestsOf = (isWanted, templates) =>
    phrasesOfPart
      .filter(([, tags]) => isTone(tags) === isWanted)
      .map(([phrase, tags]) => ({
        query: pick(templates, phrase)(phrase, noun),
        ids: idsOf(
          anyOf(
            tags.filter((tag) => vocabulary.has(tag)),
            2,
          ),
        ),
      }))

  return {
    title: () =>
      own
        .map(({ titles }) => titles.romaji)
        .filter(isNamed)
        .map((title) => {
          const query = pick([title, plain(title)], title)
          return { query, ids: calledSo(title) }
        }),
    'other title': () =>
      own.flatMap(({ titles }) => {
        const other = titles.english ?? titles.other?.[0]
        if (other === undefined || !isNamed(other) || keyOf(other) === keyOf(titles.romaji))
          return []
        return [{ query: plain(other), ids: calledSo(other) }]
      }),
    typo: () =>
      own
        .map(({ titles }) => pick([titles.romaji, titles.english ?? titles.romaji], titles.romaji))
        .filter((title) => isNamed(title) && title.length >= 6)
        .map((title) => ({ query: misspelt(plain(title)), ids: calledSo(title) })),
    like: () =>
      known.map((work) => {
        const name = work.titles.english ?? work.titles.romaji
        const templates = [
          `${noun} like ${name}`,
          `similar to ${name}`,
          `something like ${plain(name)}`,
        ]
        const alike = all
          .filter(({ franchise, place }) => franchise !== work.franchise && place === 'main')
          .map((other) => ({ mal: other.mal, shared: likeness(work, other) }))
          .sort((one, other) => other.shared - one.shared || one.mal - other.mal)
        return { query: pick(templates, name), ids: alike.slice(0, 20).map(({ mal }) => mal) }
      }),
    but: () =>
      known.flatMap((work) => {
        const name = work.titles.english ?? work.titles.romaji
        const tag = pick(
          ['funny', 'dark', 'romantic', 'cozy', 'scary', 'tragic', 'lighthearted', 'tense'],
          name,
        )
        if (work.tags[tag]) return []
        const alike = all
          .filter((other) => other.franchise !== work.franchise && has(tag)(other))
          .map((other) => ({ mal: other.mal, shared: likeness(work, other) }))
          .sort((one, other) => other.shared - one.shared || one.mal - other.mal)
        return [
          {
            query: `like ${name} but ${moreOf[tag]}`,
            ids: alike.slice(0, 15).map(({ mal }) => mal),
          },
        ]
      }),
    facet: () =>
      own.flatMap((work) => {
        const [theme] = themes(work)
        const [other] = cast(work)
        if (theme === undefined || other === undefined) return []
        const form = formOf(work, noun)
        return [
          {
            query: `${say(theme)} ${form.words} ${pick(['with', 'and'], theme)} ${say(other)}`,
            ids: idsOf((one) => has(theme, 1)(one) && has(other, 1)(one) && form.fits(one)),
          },
        ]
      }),
    fact: () =>
      own.flatMap((work) => {
        const [theme] = themes(work)
        const maker = makerOf(work)
        if (theme === undefined || maker === undefined) return []
        return [
          {
            query: pick(
              [
                `${say(theme)} ${noun} ${maker.words}`,
                `${noun} ${maker.words} about ${say(theme)}`,
              ],
              theme,
            ),
            ids: idsOf((one) => has(theme, 1)(one) && maker.fits(one)),
          },
        ]
      }),
    not: () =>
      own.flatMap((work) => {
        const [theme] = themes(work)
        if (theme === undefined) return []
        const excluded = pick(
          [
            'love-story',
            'gore',
            'fan-service',
            'magic',
            'harem',
            'isekai',
            'school-life',
            'funny',
          ].filter((tag) => !work.tags[tag]),
          theme,
        )
        const word =
          {
            'love-story': 'romance',
            'fan-service': 'fanservice',
            'school-life': 'school',
            funny: 'comedy',
          }[excluded] ?? excluded
        const genre = { 'love-story': 'Romance', funny: 'Comedy', 'fan-service': 'Ecchi' }[excluded]
        const breaks = (one) =>
          has(excluded, 1)(one) || (genre !== undefined && one.genres.includes(genre))
        return [
          {
            query: pick(
              [
                `${say(theme)} ${noun} without ${word}`,
                `${say(theme)} but no ${word}`,
                `${say(theme)}, not ${word}`,
              ],
              theme + word,
            ),
            ids: idsOf((one) => has(theme, 2)(one) && !breaks(one)),
            breaks: idsOf(breaks),
          },
        ]
      }),
    mood: () =>
      requestsOf(true, [
        (words) => `something ${words}`,
        (words, noun) => `${words} ${noun}`,
        (words) => words,
      ]),
    theme: () => requestsOf(false, [(words, noun) => `${noun} about ${words}`, (words) => words]),
    scene: () =>
      own.flatMap(({ descriptions: [first = ''], mal }) => {
        const words = first.split(/[,;.]/)[0].split(/\s+/).slice(0, 9)
        return words.length < 4
          ? []
          : [{ query: words.join(' '), ids: [mal], column: 'in other words' }]
      }),
    description: () =>
      own.flatMap(({ descriptions: [, second], mal }) =>
        second === undefined ? [] : [{ query: second, ids: [mal], column: 'in other words 2' }],
      ),
  }

  function topOf(work, families, least) {
    return Object.entries(work.tags)
      .filter(([tag, weight]) => weight >= least && families.includes(vocabulary.get(tag).family))
      .map(([tag]) => tag)
      .sort((one, other) => hashOf(one + work.mal) - hashOf(other + work.mal))
  }
}

/** Type and era of a work in plain words. */
function formOf({ type, year, episodes }, noun) {
  const choices = []
  if (type === 'movie') choices.push({ words: 'movie', fits: (work) => work.type === 'movie' })
  if (year >= 1980 && year < 2000) {
    const decade = year - (year % 10)
    choices.push({
      words: `${decade % 100}s ${noun}`,
      fits: (work) => work.year >= decade && work.year < decade + 10,
    })
  }
  if (type === 'tv' && episodes <= 13) {
    choices.push({
      words: 'short series',
      fits: (work) => work.episodes <= 13 && work.type !== 'movie',
    })
  }
  if (type === 'manhwa') choices.push({ words: 'manhwa', fits: (work) => work.type === 'manhwa' })
  return choices[0] ?? { words: noun, fits: () => true }
}

/** Who made it, or when. */
function makerOf({ studios, directors, authors, year, mal }) {
  const choices = [
    ...(studios ?? [])
      .slice(0, 1)
      .map((name) => ({ words: `by ${name}`, fits: (work) => work.studios?.includes(name) })),
    ...(directors ?? []).slice(0, 1).map((name) => ({
      words: `directed by ${name}`,
      fits: (work) => work.directors?.includes(name),
    })),
    ...(authors ?? [])
      .slice(0, 1)
      .map((name) => ({ words: `by ${name}`, fits: (work) => work.authors?.includes(name) })),
    ...(year === undefined
      ? []
      : [
          {
            words: `from the ${year - (year % 10)}s`,
            fits: (work) => Math.floor(work.year / 10) === Math.floor(year / 10),
          },
        ]),
  ]
  return pick(choices, `${mal}`)
}

/** Shared tags by their weights, the rarer families first: a reader's shorthand, not the product's cosine. */
function likeness(one, other) {
  let shared = 0
  for (const [tag, weight] of Object.entries(one.tags))
    shared += Math.min(weight, other.tags[tag] ?? 0) ** 2
  const genres = one.genres.filter((genre) => other.genres.includes(genre)).length
  return shared + 2 * genres
}

function misspelt(title) {
  const at = 1 + (hashOf(title) % (title.length - 2))
  const kinds = [
    () => title.slice(0, at) + title.slice(at + 1),
    () => title.slice(0, at) + title[at + 1] + title[at] + title.slice(at + 2),
    () => title.slice(0, at) + 'aeiorstn'[hashOf(`${title}x`) % 8] + title.slice(at + 1),
    () => title.slice(0, at) + title[at] + title.slice(at),
  ]
  return pick(kinds, title)()
}

function plain(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function keyOf(title) {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

function hashOf(text) {
  return createHash('sha256').update(text, 'utf8').digest().readUInt32BE(0)
}

function pick(choices, seed) {
  return choices[hashOf(seed) % choices.length]
}

function shuffled(values, nameOf) {
  return values.toSorted((one, other) => hashOf(`${nameOf(one)}`) - hashOf(`${nameOf(other)}`))
}
