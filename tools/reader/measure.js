/**
 * How well the built reader reads the corpus, on the built-in catalogue, in process:
 *   node tools/reader/measure.js [--part report|fit|all] [--work FOLDER]
 * The measures of posts are those of their labels: a reading belongs to the label that covers most of it. It is wrong
 * where the label says nothing (filler, personal, contrast, reference outside the catalogue), where it is requested
 * but refused, seen or disliked, and the other way round. Examples compare readings with those that are expected.
 */
import { parseArgs } from 'node:util'
import { examples, posts } from './corpus.js'
import { openReaders } from './open-readers.js'
import { keyOf, readingOf } from './readings.js'

const { values: options } = parseArgs({
  options: { part: { type: 'string', default: 'report' }, work: { type: 'string' } },
})
const inPart = ({ part }) => options.part === 'all' || part === options.part
const requested = new Set([
  'want',
  'want-more-of',
  'like',
  'liked',
  'era',
  'length',
  'type',
  'audience',
  'maker',
  'status',
  'source',
  'popularity',
  'scene',
  'subject-work',
  'language',
])
const refused = new Set(['avoid', 'disliked', 'seen'])
const nothing = new Set(['filler', 'personal', 'contrast', 'not-anime'])
const works = new Set(['like', 'title'])

const readers = await openReaders(options.work)
// Opening a dataset is no part of reading.
for (const dataset of ['anime', 'manga']) await readers.interpret(dataset, 'anime')
const times = []
console.log(`part: ${options.part}`)
for (const form of ['title', 'both']) await measurePosts(form)
await measureExamples()
times.sort((a, b) => a - b)
console.log(
  `reading: p50 ${times[times.length >> 1].toFixed(2)} ms, worst ${times.at(-1).toFixed(1)} ms of ${times.length} queries`,
)
await readers.close()

async function read(dataset, query) {
  const start = performance.now()
  const interpretation = await readers.interpret(dataset, query)
  times.push(performance.now() - start)
  return interpretation.readings
}

async function measurePosts(form) {
  const shares = new Map()
  const count = (name, value) => {
    const [sum, number] = shares.get(name) ?? [0, 0]
    shares.set(name, [sum + (value ? 1 : 0), number + 1])
  }
  const spans = { both: 0, read: 0, labelled: 0 }
  for (const post of posts().filter((one) => one.form === form && inPart(one))) {
    const readings = await read(post.dataset, post.query)
    const length = lengthClass(post.query)
    const wrongs = readings.map((reading) => isWrong(reading, post.spans))
    for (const wrong of wrongs.filter((one) => one !== undefined)) {
      count('wrong readings', wrong)
      count(`wrong readings, ${length}`, wrong)
    }
    count('queries without a wrong reading', !wrongs.includes(true))
    for (const span of post.spans) countSpan(span, readings, count)
    const meaningful = post.spans.filter(({ role }) => requested.has(role) || refused.has(role))
    spans.labelled += meaningful.length
    spans.read += readings.length
    spans.both += readings.filter((reading) => {
      const role = roleOf(reading, post.spans)
      return reading.excluded ? refused.has(role) : requested.has(role)
    }).length
  }
  console.log(`\nposts, ${form === 'title' ? 'title' : 'title and text'}`)
  for (const [name, [sum, number]] of [...shares].sort(([a], [b]) => a.localeCompare(b)))
    console.log(`  ${name.padEnd(52)} ${(sum / number).toFixed(3)} of ${number}`)
  const precision = spans.both / spans.read
  const recall = spans.both / spans.labelled
  const f1 = (2 * precision * recall) / (precision + recall)
  console.log(
    `  spans: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)}`,
  )
}

function countSpan({ begin, end, role }, readings, count) {
  const size = end - begin
  const hits = readings.filter((reading) => {
    const shared = overlap(reading, { begin, end })
    return shared > 0 && shared * 2 >= Math.min(reading.end - reading.begin, size)
  })
  const isRequested = hits.some(({ excluded }) => !excluded)
  if (role === 'like' || role === 'liked')
    count(
      'liked works read as examples',
      hits.some(({ kind, excluded }) => works.has(kind) && !excluded),
    )
  if (role === 'seen' || role === 'disliked') count('seen and disliked not requested', !isRequested)
  if (role === 'avoid')
    count(
      'refusals read as refusals',
      hits.some(({ excluded }) => excluded),
    )
  if (role === 'want' || role === 'want-more-of') count('requests with something read', isRequested)
  if (nothing.has(role)) count('filler, personal, contrast left alone', hits.length === 0)
}

async function measureExamples() {
  const total = { right: 0, queries: 0, both: 0, read: 0, expected: 0 }
  for (const { dataset, query, expect } of examples().filter(inPart)) {
    const readings = (await read(dataset, query)).map((one) => keyOf(readingOf(one, query)))
    const wanted = expect.map(keyOf)
    const shared = readings.filter((key) => wanted.includes(key)).length
    total.queries += 1
    total.both += shared
    total.read += readings.length
    total.expected += wanted.length
    if (shared === readings.length && shared === wanted.length) total.right += 1
  }
  const precision = total.both / total.read
  const recall = total.both / total.expected
  console.log(`\nexamples (${total.queries})`)
  console.log(`  read completely right ${(total.right / total.queries).toFixed(3)}`)
  console.log(
    `  readings: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${((2 * precision * recall) / (precision + recall)).toFixed(3)}\n`,
  )
}

function isWrong(reading, spans) {
  const role = roleOf(reading, spans)
  if (role === undefined) return undefined
  return nothing.has(role) || (reading.excluded ? requested.has(role) : refused.has(role))
}

function roleOf(reading, spans) {
  const [best] = spans
    .map((span) => ({ span, shared: overlap(reading, span) }))
    .sort((a, b) => b.shared - a.shared)
  return best !== undefined && best.shared * 2 >= reading.end - reading.begin
    ? best.span.role
    : undefined
}

function overlap(a, b) {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.begin, b.begin))
}

function lengthClass(query) {
  const words = query.split(/\s+/).length
  const limit = [10, 25, 60, 150].find((most) => words <= most)
  return limit === undefined ? 'over 150 words' : `up to ${String(limit).padStart(3)} words`
}
