/**
 * The corpus of the query reader: every query that somebody wrote, labelled or judged, in one shape.
 *   { query, dataset, from, part, kind, spans?, expect?, answer? }
 * `spans` are labelled parts of the query, [begin, end) in UTF-16 units, with a role; `expect` the readings that it
 * has (see corpus/README.md). `part` is `report` for a fifth of the queries, by a hash; nobody looks at those while
 * fitting.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const file = (name) => new URL(`corpus/${name}`, import.meta.url)
const linesOf = (url) =>
  readFileSync(url, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** The longest query that /search accepts. */
const maxLength = 2000

export function partOf(key) {
  const hash = createHash('sha256').update(key.toLowerCase()).digest()
  return hash.readUInt32BE(0) / 2 ** 32 < 0.2 ? 'report' : 'fit'
}

/** Each post twice: its title, as people type it into a box, and its title with its text. */
export function posts() {
  return linesOf(file('posts.jsonl')).flatMap((post) => {
    const shared = {
      dataset: post.dataset,
      from: 'posts',
      part: partOf(`${post.title} ${post.text}`),
      kind: post.kind,
      answer: post.answer,
    }
    const both = `${post.title}. ${post.text}`
    return [
      { ...shared, form: 'title', query: post.title, spans: spansIn(post, 'title') },
      { ...shared, form: 'both', query: both, spans: spansIn(post) },
    ].filter(
      ({ query }) => query.trim() !== '.' && query.trim() !== '' && query.length <= maxLength,
    )
  })
}

function spansIn(post, only) {
  return post.spans.flatMap(({ in: member, words, role, means }) => {
    const at = post[member].indexOf(words)
    if (at < 0 || (only !== undefined && member !== only)) return []
    const begin = at + (member === 'title' ? 0 : post.title.length + 2)
    return [{ begin, end: begin + words.length, role, means }]
  })
}

/** Queries with the readings that are expected of them. */
export function examples() {
  return linesOf(file('examples.jsonl')).map((line) => ({
    ...line,
    kind: 'example',
    part: partOf(line.query),
  }))
}

export function corpus() {
  return [...posts(), ...examples()]
}
