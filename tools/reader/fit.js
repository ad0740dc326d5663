/**
 * Fits the weights of the query reader to the `fit` part of the corpus and writes data/query/weights.json:
 *   node tools/reader/fit.js [--work FOLDER] [--output FILE] [--folds N] [--held FILE]
 * First prints how well posts are read that the weights were not fitted to; `--held` writes these posts with what is
 * read. Two runs write the same.
 *
 * Three steps: what a query is as a whole (request, scene, question, pasted text); whether each candidate is right at
 * all, against all that it overlaps; and the role of those that are. Queries are the posts with their labels, the
 * examples with the readings that are expected, posts made of corpus/sentences.txt, short queries made of
 * corpus/typed.txt, memory cues, and pasted openings.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createCandidates } from '../../dist/search/reader/candidates.js'
import { choose, eachCandidate, factRoles, workRoles } from '../../dist/search/reader/choose.js'
import { kindFeatures, queryKinds } from '../../dist/search/reader/query-kind.js'
import { stemOf } from '../../dist/base/text/stem.js'
import { partOf as partOfWork } from '../works/split.js'
import { examples, posts, writtenPosts } from './corpus.js'
import { labelsOfExample, labelsOfPost } from './labels.js'
import { fitLogistic } from './logistic.js'
import { makePosts } from './made-posts.js'
import { makeQueries } from './made-queries.js'
import { openReaders } from './open-readers.js'
import { createScores } from './scores.js'
import { sensesOf } from '../../dist/search/reader/senses.js'

const { values: options } = parseArgs({
  options: {
    work: { type: 'string' },
    output: { type: 'string', default: 'data/query/weights.json' },
    folds: { type: 'string', default: '3' },
    made: { type: 'string', default: '2000' },
    typed: { type: 'string', default: '6000' },
    held: { type: 'string' },
  },
})

/** Squares of weights cost this; words of their own more, since few posts have each. */
const penalties = { kinds: 1.5, chosen: 8, roles: 6, ofWords: 3, ofPairs: 2 }
/** How often a word occurs in the queries before it has its own features. */
const minNeighbour = 25
const minPhrase = 6
const minKindWord = 24
/** What a candidate counts by where its query is from. */
const sourceWeights = {
  post: 1,
  written: 0.8,
  example: 1,
  made: 0.3,
  typed: 0.7,
  cue: 0.35,
  pasted: 0.35,
}
const kindWeights = { post: 3, written: 1, example: 1, made: 0.1, typed: 0.1, cue: 0.5, pasted: 1 }
const folds = 4
const linesOf = (file) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const readers = await openReaders(options.work)
const worlds = Object.fromEntries(
  await Promise.all(['anime', 'manga'].map(async (name) => [name, await openWorld(name)])),
)
const items = gather()
for (const item of items) item.read = worlds[item.dataset].read(item.query)
console.log(
  `${items.length} queries, ${items.reduce((n, { read }) => n + read.candidates.length, 0)} candidates`,
)

const kinds = fitKinds()
const known = knownWords()
const groups = { fact: rowsOf('fact', factRoles), work: rowsOf('work', workRoles) }

/** A name without a word that is a trait or short. */
function isNamedLikeOne(name, traits) {
  const words = name.split(' ')
  return (
    words.length < 4 &&
    [words[0], words.at(-1)].every(
      (word) => /^[a-z]{4,}$/i.test(word) && !traits.has(word.toLowerCase()),
    )
  )
}

/** The rows of the works that have a character of a name. */
function rowsOfCharacters(entries, titleRows) {
  const rows = new Map()
  for (const { titles, characters = [] } of entries)
    for (const character of characters) {
      if (!rows.has(character)) rows.set(character, new Set())
      for (const row of titleRows(titles.romaji)) rows.get(character).add(row)
    }
  return rows
}

async function openWorld(name) {
  const { vocabulary, facts, titles, titleRows } = await readers.knowledge(name)
  const entries = linesOf(`../../data/works/${name}.jsonl`)
  const characterRows = rowsOfCharacters(entries, titleRows)
  const series = (row) => (facts.franchises[row] >= 0 ? facts.franchises[row] : -1 - row)
  const found = new Map()
  const rowsOf = (title) => {
    const rows = found.get(title) ?? [...titleRows(title), ...(characterRows.get(title) ?? [])]
    found.set(title, rows)
    return rows
  }
  const isSameSeries = (rows, others) => {
    const all = new Set(others.map(series))
    return rows.some((row) => all.has(series(row)))
  }
  const works = []
  for (let title = 0; title < titles.titleCount; title += 1) {
    const work = { row: titles.row(title), title: titles.text(title) }
    const fame = facts.popularity[work.row] || 0
    if (fame > 1 && /^[\x20-\x7e]{3,44}$/.test(work.title) && /[a-z]/i.test(work.title))
      works.push({ ...work, fame })
  }
  const senses = sensesOf(vocabulary.lexicon, vocabulary.tags, vocabulary.names)
  const phrasesOf = (...lists) => [
    ...new Set(
      senses
        .filter(([phrase, { list }]) => lists.includes(list) && phrase.length > 2)
        .map(([phrase]) => phrase),
    ),
  ]
  const traits = phrasesOf('genre', 'subject', 'manner')
  return {
    read: createCandidates(vocabulary),
    rowsOf,
    isSameSeries,
    pool: {
      works,
      ...typedPool(traits),
      traits,
      genres: phrasesOf('genre'),
      words: traits.filter((trait) => /^[a-z]{4,}$/i.test(trait)),
    },
  }

  /** What is typed: of works whose titles and makers no report is made of. */
  function typedPool(traits) {
    const isReported = new Set(
      entries
        .filter(({ franchise }) => partOfWork(franchise) === 'reporting')
        .flatMap(({ titles: { romaji } }) => titleRows(romaji)),
    )
    const typed = []
    const titleOf = new Map()
    for (let title = 0; title < titles.titleCount; title += 1) {
      const row = titles.row(title)
      const one = { row, title: titles.text(title), year: facts.years[row] }
      if (isReported.has(one.row) || one.title.length > 60) continue
      typed.push(one)
      if (/[a-z]{3}/i.test(one.title) && !titleOf.has(one.row)) titleOf.set(one.row, one.title)
    }
    const words = new Set(traits)
    const isKnown = (row) => !isReported.has(row) && (facts.popularity[row] || 0) > 0.5
    const characters = [...characterRows]
      .map(([name, rows]) => ({ name, rows: [...rows] }))
      .filter(({ name, rows }) => rows.some(isKnown) && isNamedLikeOne(name, words))
    const makers = [...facts.people, ...facts.studios].flatMap(([name, rows]) =>
      [...rows]
        .filter((row) => titleOf.has(row) && isKnown(row))
        .slice(0, 6)
        .map((row) => ({ name, row, title: titleOf.get(row) })),
    )
    const long = typed.filter(
      ({ row, title }) =>
        isKnown(row) && /^[\x20-\x7e]+$/.test(title) && title.split(' ').length > 2,
    )
    return { typed, long, characters, makers }
  }
}

function gather() {
  const postKinds = { recommend: 'request', identify: 'scene', 'title-question': 'question' }
  const pools = Object.fromEntries(Object.entries(worlds).map(([name, { pool }]) => [name, pool]))
  const isFit = ({ part }) => part === 'fit'
  return [
    ...posts()
      .filter(isFit)
      .map((post, at) => ({ ...post, from: 'post', fold: at >> 1, kind: postKinds[post.kind] })),
    ...writtenPosts().map((post) => ({ ...post, from: 'written', kind: postKinds[post.kind] })),
    ...examples()
      .filter(isFit)
      .map((one) => ({ ...one, from: 'example', kind: undefined })),
    ...makePosts(pools, Number(options.made)).map((one) => ({ ...one, from: 'made' })),
    ...makeQueries(pools, Number(options.typed)).map((one) => ({ ...one, from: 'typed' })),
    ...linesOf('../fit-ranker/queries/cues.jsonl')
      .filter(({ franchise }) => partOfWork(franchise) === 'fitting')
      .map(({ dataset, query }) => ({ dataset, query, from: 'cue', kind: 'scene' })),
    ...Object.keys(worlds).flatMap((dataset) =>
      linesOf(`../../data/works/${dataset}.jsonl`)
        .filter(({ franchise, synopsis }) => synopsis && partOfWork(franchise) !== 'reporting')
        .filter((_, at) => at % 8 === 0)
        .map(({ synopsis: query }) => ({ dataset, query, from: 'pasted', kind: 'pasted' })),
    ),
  ]
}

/** Kinds of the queries that they are fitted to are those of a fit without them, as they are for new queries. */
function fitKinds() {
  const counts = new Map()
  for (const { read, from } of items)
    for (const word of new Set(read.words.map(({ folded }) => folded)))
      counts.set(word, (counts.get(word) ?? 0) + (from === 'post' ? 2 : 1))
  const words = new Set(
    [...counts].filter(([, count]) => count >= minKindWord).map(([word]) => word),
  )
  const ids = createIds()
  const rows = items.map((item, at) => {
    const row = {
      ...sparse((take) => kindFeatures(item.read, words, take), ids),
      item,
      fold: at % folds,
    }
    return { ...row, label: queryKinds.indexOf(item.kind), weight: kindWeights[item.from] }
  })
  const labelled = rows.filter(({ label }) => label >= 0)
  const fit = (some) =>
    fitLogistic(some, {
      classes: queryKinds.length,
      features: ids.size(),
      hasNone: false,
      penalty: () => penalties.kinds,
    })
  const weights = fit(labelled)
  for (let fold = 0; fold < folds; fold += 1) {
    const held = fit(labelled.filter((row) => row.fold !== fold))
    for (const row of rows) if (row.fold === fold) row.item.kinds = sharesOf(row, held)
  }
  return { words, ids, weights }
}

function sharesOf({ ids, values }, weights) {
  const logits = queryKinds.map((_, kind) =>
    ids.reduce((sum, id, i) => sum + values[i] * weights[id * queryKinds.length + kind], 0),
  )
  const most = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp(logit - most))
  const sum = powers.reduce((a, b) => a + b)
  return Object.fromEntries(queryKinds.map((kind, at) => [kind, powers[at] / sum]))
}

function knownWords() {
  const neighbours = new Map()
  const phrases = new Map()
  const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1)
  const written = items.filter(({ from }) => from === 'post' || from === 'example')
  for (const { read } of written) {
    for (const { folded } of read.words) count(neighbours, folded)
    const said = read.candidates.map(({ from, to }) =>
      read.words
        .slice(from, to)
        .map(({ folded }) => stemOf(folded))
        .join(' '),
    )
    for (const phrase of new Set(said)) count(phrases, phrase)
  }
  const often = (map, least) => new Set([...map].filter(([, n]) => n >= least).map(([key]) => key))
  return { neighbours: often(neighbours, minNeighbour), phrases: often(phrases, minPhrase) }
}

function rowsOf(group, roles) {
  return { group, roles, ids: createIds(), rows: [] }
}

function gatherRows() {
  for (const item of items) {
    const world = worlds[item.dataset]
    const labels = labelsOf(item, world)
    // A typo or a name that is no candidate for its work shows nothing.
    if (item.from === 'typed' && labels.every(([label]) => label < 0)) continue
    let at = 0
    eachCandidate(item.read, item.kinds, known, ({ group }, ofPlace, ofMeaning) => {
      const [label, weight] = labels[at]
      at += 1
      const { rows, ids } = groups[group]
      if (weight === 0) return
      const features = (take) => {
        ofPlace((name, value) => take(name, value, true))
        ofMeaning((name, value) =>
          isWithoutFame(item) && name.includes(' fame ') ? undefined : take(name, value),
        )
      }
      rows.push({
        ...sparse(features, ids),
        label,
        role: roleOf(label, group, item),
        weight: weight * sourceWeights[item.from],
        item,
      })
    })
  }
}

/** Stories refuse nothing: what they say is none of a request, but if it were read, it would not be refused. */
const roleOf = (label, group, { from }) =>
  label < 0 && group === 'fact' && (from === 'cue' || from === 'pasted')
    ? factRoles.indexOf('request')
    : label

const isTopic = ({ kind }) => kind === 'topic' || kind === 'type'

/** A fifth is read as on a catalogue without popularity. */
const isWithoutFame = ({ query }) => query.length % 5 === 0

function labelsOf(item, world) {
  const { read, query, expect = [] } = item
  if (item.spans) return labelsOfPost(item, read, world)
  const at = (words) => query.indexOf(words)
  const readings = expect.map((one) => ({
    ...one,
    begin: at(one.words),
    end: at(one.words) + one.words.length,
  }))
  const labels = labelsOfExample(readings, read, world)
  // What a scene is about is partly in tags, which nobody has labelled; it requests no form, years or length.
  const weightOf = ({ group, sense }) => (group === 'fact' && isTopic(sense.fact) ? 0.1 : 1)
  return item.from === 'cue' ? read.candidates.map((one) => [-1, weightOf(one)]) : labels
}

/** Of what a candidate is, this much says something of its role. */
const ofRole = /^(list \w+( not)?|match \w+)$/
const penaltyShare = (name) =>
  /^((before|after)( that)? (?!clause|\d)|phrase )/.test(name)
    ? penalties.ofWords
    : /governed by \w+ and/.test(name)
      ? penalties.ofPairs
      : 1

function fitGroup({ rows, roles, ids }, isUsed) {
  const names = ids.names()
  const used = rows.filter(isUsed)
  const penalty = (base) => (feature) => base * penaltyShare(names[feature])
  const features = names.length
  const chosen = fitLogistic(
    used.map((row) => ({ ...row, label: row.label < 0 ? -1 : 0 })),
    { classes: 1, features, hasNone: true, penalty: penalty(penalties.chosen) },
  )
  const places = names.map((name) => ids.isOfPlace(name) || ofRole.test(name))
  const inRoles = used
    .filter(({ role }) => role >= 0)
    .map((row) => {
      const kept = [...row.ids.keys()].filter((i) => places[row.ids[i]])
      return {
        ...row,
        label: row.role,
        ids: Int32Array.from(kept, (i) => row.ids[i]),
        values: Float32Array.from(kept, (i) => row.values[i]),
      }
    })
  const ofRoles = fitLogistic(inRoles, {
    classes: roles.length,
    features,
    hasNone: false,
    penalty: penalty(penalties.roles),
  })
  return new Map(
    names.map((name, at) => [
      name,
      [chosen[at], ...ofRoles.subarray(at * roles.length, (at + 1) * roles.length)],
    ]),
  )
}

function crossValidate(count) {
  const scores = createScores()
  const heldOut = []
  for (let fold = 0; fold < count; fold += 1) {
    const isHeld = ({ item }) => item.from === 'post' && item.fold % count === fold
    const fitted = { ...known }
    for (const group of ['fact', 'work'])
      fitted[group] = fitGroup(groups[group], (row) => !isHeld(row))
    for (const item of items.filter((one) => one.form === 'both' && isHeld({ item: one }))) {
      const chosen = choose(item.read, item.kinds, fitted, () => true)
      scores.add(item, chosen)
      heldOut.push(marked(item, chosen))
    }
  }
  if (options.held !== undefined) writeFileSync(options.held, `${heldOut.join('\n\n')}\n`)
  scores.print()
}

/** A held-out post with its labels in [] and what is read in {}. */
function marked({ query, spans, read }, chosen) {
  const labelled = spans.flatMap(({ begin, end, role }) => [
    { at: begin, mark: `[${role}:`, order: 1 },
    { at: end, mark: ']', order: 3 },
  ])
  const readings = chosen.flatMap(({ from, to, group, role, sense, work, likelihood }) => {
    const what = group === 'fact' ? sense.list : `${work.match} ${work.label}`
    return [
      { at: read.words[from].begin, mark: `{${role} ${what} ${likelihood.toFixed(2)}:`, order: 0 },
      { at: read.words[to - 1].end, mark: '}', order: 2 },
    ]
  })
  return [...labelled, ...readings]
    .sort((one, other) => other.at - one.at || one.order - other.order)
    .reduce((text, { at, mark }) => text.slice(0, at) + mark + text.slice(at), query)
}

function writeWeights() {
  const round = (value) => Math.round(value * 1000) / 1000
  const written = (entries) =>
    Object.fromEntries(
      entries
        .map(([name, weights]) => [name, weights.map(round)])
        .filter(([, weights]) => weights.some((weight) => Math.abs(weight) >= 0.03)),
    )
  const kindEntries = kinds.ids
    .names()
    .map((name, at) => [
      name,
      [...kinds.weights.subarray(at * queryKinds.length, (at + 1) * queryKinds.length)],
    ])
  const file = {
    neighbours: [...known.neighbours].sort(),
    phrases: [...known.phrases].sort(),
    kindWords: [...kinds.words].sort(),
    kinds: written(kindEntries),
    ...Object.fromEntries(
      ['fact', 'work'].map((group) => [group, written([...fitGroup(groups[group], () => true)])]),
    ),
  }
  const lines = Object.entries(file).map(([name, value]) =>
    Array.isArray(value)
      ? `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`
      : `  ${JSON.stringify(name)}: {\n${Object.entries(value)
          .map(([key, row]) => `    ${JSON.stringify(key)}: ${JSON.stringify(row)}`)
          .join(',\n')}\n  }`,
  )
  writeFileSync(options.output, `{\n${lines.join(',\n')}\n}\n`)
  console.log(
    `${Object.keys(file.kinds).length} weights of kinds, ${Object.keys(file.fact).length} of facts, ${Object.keys(file.work).length} of works`,
  )
}

function createIds() {
  const ids = new Map()
  const places = new Set()
  return {
    idOf(name, isOfPlace = false) {
      if (isOfPlace) places.add(name)
      if (!ids.has(name)) ids.set(name, ids.size)
      return ids.get(name)
    },
    isOfPlace: (name) => places.has(name),
    size: () => ids.size,
    names: () => [...ids.keys()],
  }
}

function sparse(visit, ids) {
  const [at, values] = [[], []]
  visit((name, value = 1, isOfPlace = false) => {
    at.push(ids.idOf(name, isOfPlace))
    values.push(value)
  })
  return { ids: Int32Array.from(at), values: Float32Array.from(values) }
}

gatherRows()
if (Number(options.folds) > 0) crossValidate(Number(options.folds))
writeWeights()
await readers.close()
