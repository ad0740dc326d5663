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

/** The posts of written.txt, in the shape of posts(). */
export function writtenPosts() {
  const paragraphs = readFileSync(file('written.txt'), 'utf8').split(/\n{2,}/)
  let dataset = 'anime'
  return paragraphs.flatMap((paragraph) => {
    const lines = paragraph.split('\n').filter((line) => {
      const [, name] = /^# (anime|manga)$/.exec(line) ?? []
      dataset = name ?? dataset
      return line !== '' && !line.startsWith('#')
    })
    if (lines.length === 0) return []
    const [title, ...text] = lines
    const both = text.length === 0 ? title : `${title}. ${text.join('\n')}`
    const shared = { dataset, from: 'written', part: 'fit', kind: 'recommend', answer: [] }
    return [
      { ...shared, form: 'title', ...unbracketed(title) },
      { ...shared, form: 'both', ...unbracketed(both) },
    ]
  })
}

/** `[role:words]` and `[role:words=title]` as a query and its spans. */
function unbracketed(text) {
  const spans = []
  let query = ''
  for (const part of text.split(/(\[[a-z-]+:[^\]]+\])/)) {
    const [, role, words, means = words] =
      /^\[([a-z-]+):([^\]=]+)(?:=([^\]]+))?\]$/.exec(part) ?? []
    if (role === undefined) query += part
    else {
      spans.push({ begin: query.length, end: query.length + words.length, role, means })
      query += words
    }
  }
  return { query, spans }
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
