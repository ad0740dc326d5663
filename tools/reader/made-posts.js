/**
 * Posts put together from corpus/sentences.txt, with works and traits of the catalogue in their slots and the role of
 * each. They show the fit how roles are worded; what people write is in posts.jsonl. The same seed makes the same posts.
 */
import { readFileSync } from 'node:fs'

const works = new Set(['like', 'seen', 'disliked', 'subject', 'makers'])
const usual = [
  'like',
  'like',
  'seen',
  'seen',
  'disliked',
  'want',
  'want',
  'avoid',
  'avoid',
  'contrast',
  'nothing',
]

function readSentences() {
  const byRole = new Map()
  let role = ''
  for (const line of readFileSync(new URL('corpus/sentences.txt', import.meta.url), 'utf8').split(
    '\n',
  )) {
    const [, heading] = /^# (\w+)(?::|$)/.exec(line) ?? []
    if (heading !== undefined) byRole.set((role = heading), [])
    else if (line !== '' && !line.startsWith('#')) byRole.get(role).push(line)
  }
  return byRole
}

/** The sentences of a role. */
export const sentencesOf = (role) => readSentences().get(role) ?? []

/**
 * @param pools by dataset: `works` ({ row, title, fame }), `traits` and `genres`
 * @returns queries with `spans` as those of posts.jsonl, works with their `rows`
 */
export function makePosts(pools, count, seed = 1) {
  let state = seed
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
  const pick = (list) => list[Math.floor(random() * list.length)]
  const sentences = readSentences()
  const names = Object.keys(pools)
  const pickWork = (pool) => {
    for (;;) {
      const work = pick(pool.works)
      if (random() < work.fame / 6) return work
    }
  }
  return Array.from({ length: count }, () => {
    const dataset = random() < 0.75 ? names[0] : names[names.length - 1]
    const pool = pools[dataset]
    const isLower = random() < 0.25
    const isQuestion = random() < 0.08
    const spans = []
    let query = ''
    const write = (text) => (query += isLower ? text.toLowerCase() : text)
    const fill = (role) => {
      const begin = query.length
      if (works.has(role)) {
        const { row, title } = pickWork(pool)
        query += isLower || random() < 0.1 ? title.toLowerCase() : title
        const named = role === 'subject' ? 'subject-work' : role
        spans.push({ begin, end: query.length, role: named, means: title, rows: [row] })
      } else {
        const trait = pick(random() < 0.5 ? pool.genres : pool.traits).toLowerCase()
        query += random() < 0.1 ? trait.charAt(0).toUpperCase() + trait.slice(1) : trait
        spans.push({ begin, end: query.length, role, means: trait })
      }
    }
    const length = 1 + Math.floor(random() * random() * 7)
    const roles = isQuestion
      ? ['subject', ...(random() < 0.4 ? [pick(['seen', 'nothing', 'like'])] : [])]
      : random() < 0.06
        ? ['makers', ...(random() < 0.3 ? ['want'] : [])]
        : Array.from({ length }, () => pick(usual))
    for (const role of roles) {
      if (query !== '') query += random() < 0.2 ? '\n' : ' '
      const begin = query.length
      for (const part of pick(sentences.get(role)).split(/(\{[^}]+\})/)) {
        const [, slot, many] = /^\{(\w+)(\+?)\}$/.exec(part) ?? []
        if (slot === undefined) write(part)
        else fillSlot(slot, many === '+' ? 1 + Math.floor(random() * 4) : 1)
      }
      if (role === 'nothing') spans.push({ begin, end: query.length, role: 'filler', means: '' })
    }
    return { dataset, query, spans, kind: isQuestion ? 'question' : 'request' }

    function fillSlot(role, filled) {
      const isBulleted = filled > 1 && query.endsWith(': ') && random() < 0.2
      for (let at = 0; at < filled; at += 1) {
        if (isBulleted) query += '\n- '
        else if (at > 0) query += at === filled - 1 ? pick([' and ', ', ', ' or ']) : ', '
        fill(role)
      }
    }
  })
}
