/**
 * Short queries put together from corpus/typed.txt with works, characters, makers and traits of the catalogue in their
 * slots: what people type into a box. The same seed makes the same queries.
 */
import { readFileSync } from 'node:fs'

const nouns = { anime: ['anime', 'anime', 'series', 'show'], manga: ['manga', 'manga', 'series'] }
const works = new Set(['subject', 'like', 'seen', 'disliked', 'makers'])
const roleOf = {
  subject: 'subject-work',
  typo: 'subject-work',
  reworded: 'subject-work',
  head: 'subject-work',
  dated: 'subject-work',
  given: 'character',
  name: 'character',
  genre: 'want',
  word: 'want',
}
const synonyms = JSON.parse(
  readFileSync(new URL('../../data/query/synonyms.json', import.meta.url), 'utf8'),
)

function readTemplates() {
  return readFileSync(new URL('corpus/typed.txt', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, share, words] = /^(\d+) (.+)$/.exec(line) ?? []
      return words === undefined ? [] : Array.from({ length: Number(share) }, () => words)
    })
}

/**
 * @param pools by dataset: `typed` ({ row, title, year }), `works`, `characters` ({ name, rows }), `makers` ({ name, row, title }),
 *   `long` (those of three words or more that many know), `traits`, `words` (traits of one word) and `genres`
 * @returns queries with `spans` as those of posts.jsonl, works with their `rows`
 */
export function makeQueries(pools, count, seed = 1) {
  let state = seed
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
  const pick = (list) => list[Math.floor(random() * list.length)]
  const templates = readTemplates()
  const names = Object.keys(pools)
  return Array.from({ length: count }, () => {
    const dataset = random() < 0.6 ? names[0] : names[names.length - 1]
    const pool = pools[dataset]
    const isLower = random() < 0.7
    const spans = []
    let query = ''
    const write = (words) => (query += isLower ? words.toLowerCase() : words)
    const fill = (words, span) => {
      const begin = query.length
      write(words)
      spans.push({ means: words, ...span, begin, end: query.length })
    }
    const template = pick(templates)
    const maker = pick(pool.makers)
    for (const part of template.split(/(\{[^}]+\})/)) {
      const [, slot, choices] = /^\{(\w+)(?::(.+))?\}$/.exec(part) ?? []
      if (slot === undefined) write(part)
      else if (choices !== undefined) fill(pick(choices.split('/')), { role: slot })
      else fillSlot(slot)
    }
    return { dataset, query, spans }

    function fillSlot(slot) {
      const role = roleOf[slot] ?? slot
      if (slot === 'noun') write(pick(nouns[dataset]))
      else if (slot === 'subject' && template.includes('{maker}'))
        fill(maker.title, { role, rows: [maker.row] })
      else if (slot === 'subject' || slot === 'typo') {
        const { title, row } = pick(pool.typed)
        const words =
          slot === 'typo' ? misspelt(plain(title)) : random() < 0.5 ? plain(title) : title
        fill(words, { role, rows: [row] })
      } else if (slot === 'dated') {
        const { title, row, year } = pick(pool.typed.filter((one) => one.year > 0))
        fill(`${title} ${year}`, { role, rows: [row] })
      } else if (slot === 'reworded' || slot === 'head') {
        const { title, row } = pick(pool.long)
        const words = plain(title)
        fill(slot === 'head' ? beginningOf(words) : reworded(words), { role, rows: [row] })
      } else if (works.has(slot)) {
        const { title, row } = pick(pool.works)
        fill(title, { role, rows: [row] })
      } else if (slot === 'name' || slot === 'given') {
        const { name, rows } = pick(pool.characters)
        const words = name.split(' ')
        fill(slot === 'name' ? name : random() < 0.7 ? words[0] : words.at(-1), {
          role,
          rows,
        })
      } else if (slot === 'maker') {
        const words = maker.name.split(' ')
        fill(random() < 0.5 ? maker.name : words.at(-1), { role })
      } else if (slot === 'word') fill(pick(pool.words), { role })
      else {
        const isGenre = slot === 'genre' || random() < 0.25
        fill(pick(isGenre ? pool.genres : pool.traits), { role })
      }
    }
  })

  /** As somebody remembers it: a word is missing, another one, or in another place; vowels are left out. */
  function reworded(title) {
    const words = title.split(' ')
    const at = Math.floor(random() * words.length)
    const others = synonyms[words[at]]?.split(' ')
    return pick([
      () => words.toSpliced(at, 1),
      () => words.with(at, others === undefined ? 'something' : pick(others)),
      () => words.with(at, others === undefined ? misspelt(words[at]) : pick(others)),
      () => [...words.slice(at), ...words.slice(0, at)],
      () => words.map((word) => word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, '')),
    ])().join(' ')
  }

  /** The first words of a title, up to one that is not a small one. */
  function beginningOf(title) {
    const words = title.split(' ')
    const first = words.findIndex((word) => word.length > 4)
    return words.slice(0, Math.max(1, first + 1 + Math.floor(random() * 2))).join(' ')
  }

  /** A letter is missing, wrong or changes places with the next. */
  function misspelt(title) {
    if (title.length < 6) return title
    const at = 1 + Math.floor(random() * (title.length - 2))
    return pick([
      () => title.slice(0, at) + title.slice(at + 1),
      () => title.slice(0, at) + title[at + 1] + title[at] + title.slice(at + 2),
      () => title.slice(0, at) + pick('aeiorstn') + title.slice(at + 1),
      () => title.slice(0, at) + title[at] + title.slice(at),
    ])()
  }
}

const plain = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
