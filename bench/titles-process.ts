/** The measured part of bench/titles.ts: prints a TitlesResult as JSON. */
import { createTitleIndex, openTitleIndex } from '#synoptic/data/titles/title-index.js'
import { foldTitle } from '#synoptic/data/titles/fold-title.js'
import { wordsOf } from '#synoptic/base/text/words.js'
import { createSameWords } from '#synoptic/base/text/same-words.js'
import type { Title } from '#synoptic/data/titles/title.js'
import type { TitlesResult } from './titles.js'

const rows = Number(process.argv[2])
const queryCount = 400
const vocabulary = 60_000
const limit = 10

const random = seeded(7)
const all: Title[] = [...inventTitles()]
const popularity = Float32Array.from({ length: rows }, () => random())

const begin = performance.now()
const prose = all.slice(0, 5000).map(({ text }) => text)
const bytes = Buffer.concat(createTitleIndex(all, { texts: prose }).toPieces())
const build = performance.now() - begin

// As a blob of SQLite comes: memory of its own, outside the heap.
const blob = Buffer.from(bytes)
collectGarbage()
const before = process.memoryUsage()
const opening = performance.now()
const index = openTitleIndex(blob)
const open = performance.now() - opening

const some = Array.from({ length: queryCount }, () => pick(all))
// Invented titles of one word belong to many rows, so any row with that title will do.
for (const { text } of some) {
  if (index.match(text, limit)[0]?.quality !== 'exact') throw new Error(`"${text}" was not found`)
}
const texts = some.map(({ text }) => text)
const typos = texts.map(addTypo)
/** As many synonyms as those that ship. */
const same = createSameWords(
  [],
  new Map(
    Array.from({ length: 2100 }, (_, word) => [
      latinWord(word),
      [1, 2, 3, 4].map((other) => latinWord(word + other * 2100)),
    ]),
  ),
)
const lookups = [
  measure('match, exact', texts, (query) => index.match(query, limit, popularity), true),
  measure('match, a typo', typos, (query) => index.match(query, limit, popularity), true),
  measure('match, two words', texts.map(twoWords), (query) => index.match(query, limit)),
  measure('match, no title', texts.map(reverse), (query) => index.match(query, limit)),
  measure('reworded, words reversed', texts.map(backwards), reworded),
  measure('reworded, two titles', texts.map(twoTitles), reworded),
  measure('reworded, without vowels', texts.map(withoutVowels), reworded),
  measure('complete, 1 character', texts.map(firstUnits(1)), complete),
  measure('complete, 3 characters', texts.map(firstUnits(3)), complete),
  measure('complete, 8 characters', texts.map(firstUnits(8)), complete),
  measure('complete, 8 with a typo', texts.map(firstUnits(8)).map(addTypo), complete),
  measure(
    'spans, 8 words',
    texts.map((text) => `like ${text} but darker`),
    spans,
  ),
]
collectGarbage()
const after = process.memoryUsage()
const held = (blob.length + after.heapUsed - before.heapUsed) / 1e6

const result: TitlesResult = {
  titles: index.titleCount,
  build,
  blob: blob.length / 1e6,
  open,
  held,
  lookups,
}
console.log(JSON.stringify(result))

function spans(query: string): unknown {
  const words = wordsOf(query).map((word) => ({ ...word, isName: false }))
  return index.spans(words, popularity)
}

function reworded(query: string): unknown {
  return index.reworded(query, same)
}

function complete(query: string): unknown {
  return index.complete(query, limit, popularity)
}

function measure(
  name: string,
  queries: readonly string[],
  look: (query: string) => unknown,
  hasBaseline = false,
) {
  for (const query of queries.slice(0, 100)) look(query)
  const times = queries.map((query) => timeOf(() => look(query))).sort((one, other) => one - other)
  const baseline = hasBaseline ? timeOf(() => passOverAll(queries[0] ?? '')) : null
  return { name, p50: times[times.length >> 1] ?? 0, p99: times.at(-4) ?? 0, baseline }
}

function timeOf(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

function passOverAll(query: string): number {
  const { joined } = foldTitle(query)
  return all.filter(({ text }) => foldTitle(text).joined.startsWith(joined)).length
}

function* inventTitles(): Generator<Title> {
  for (let row = 0; row < rows; row += 1) {
    yield { row, text: inventTitle('latin'), kind: 'main' }
    yield { row, text: inventTitle('latin'), kind: 'english' }
    yield { row, text: inventTitle('kanji'), kind: 'native' }
    for (let other = 0; other < 7; other += 1) {
      yield { row, text: inventTitle(other < 5 ? 'latin' : 'kanji'), kind: 'other' }
    }
  }
}

function inventTitle(script: 'latin' | 'kanji'): string {
  const words = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
    // Few words are common and most are rare, as in any language.
    const word = Math.floor(random() ** 3 * vocabulary)
    return script === 'latin' ? latinWord(word) : kanjiWord(word)
  })
  const season = random() < 0.15 ? ` Season ${2 + Math.floor(random() * 3)}` : ''
  return words.join(script === 'latin' ? ' ' : 'の') + season
}

function latinWord(number: number): string {
  const syllables = 'ka ri mo te su ha ne do shi lu gen bar tor vel ash mir no tsu kyo ran'.split(
    ' ',
  )
  let rest = number
  let word = ''
  do {
    word += syllables[rest % syllables.length] ?? ''
    rest = Math.floor(rest / syllables.length)
  } while (rest > 0)
  return word
}

function kanjiWord(number: number): string {
  return String.fromCharCode(0x4e00 + (number % 2000), 0x4e00 + Math.floor(number / 2000))
}

function addTypo(text: string): string {
  const at = Math.floor(random() * text.length)
  return `${text.slice(0, at)}q${text.slice(at + 1)}`
}

function twoWords(text: string): string {
  return text.split(' ').slice(-2).join(' ')
}

function backwards(text: string): string {
  return text.split(' ').reverse().join(' ')
}

function withoutVowels(text: string): string {
  return text.replaceAll(/(?<=[a-z])[aeiou]/g, '')
}

function twoTitles(text: string, place: number): string {
  return `${text} ${texts[place + 1] ?? ''}`
}

function reverse(text: string): string {
  return Array.from(text).reverse().join('')
}

function firstUnits(count: number): (text: string) => string {
  return (text) => text.slice(0, count)
}

function pick<T>(list: readonly T[]): T {
  const item = list[Math.floor(random() * list.length)]
  if (item === undefined) throw new Error('expected a list with items')
  return item
}

function collectGarbage(): void {
  globalThis.gc?.()
}

/** Numerical Recipes' generator: the same titles in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
