/**
 * Carries over where manga ran, from a public list of facts, into the works:
 *   node tools/works/magazines.js [--facts ../shared/data/facts/manga_facts_2024.csv] [--works <folder>] [--write]
 * A row is of a work when they agree in a title, an author, the year and the type. magazines.json has the usual names of
 * magazines, and corrections of the list, written from knowledge.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { nameKey } from './check/text.js'
import { inOrder } from './members.js'

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const { values: options } = parseArgs({
  options: {
    facts: {
      type: 'string',
      default: pathOf('../../../shared/data/facts/manga_facts_2024.csv'),
    },
    works: { type: 'string', default: pathOf('../../data/works') },
    write: { type: 'boolean', default: false },
  },
})

const own = JSON.parse(readFileSync(pathOf('magazines.json'), 'utf8'))
const path = join(options.works, 'manga.jsonl')
const works = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const rows = rowsByTitle()
const found = works.map((work) => ({ work, magazines: magazinesOf(work) }))

const known = found.filter(({ magazines }) => magazines.length > 0)
console.log(`${known.length} of ${works.length} works ran in a magazine`)
for (const mal of Object.keys(own.works))
  if (!works.some((work) => work.mal === Number(mal))) throw new Error(`no work has the id ${mal}`)
if (options.write) {
  const lines = found.map(({ work, magazines }) =>
    JSON.stringify(inOrder({ ...work, magazines: magazines.length > 0 ? magazines : undefined })),
  )
  writeFileSync(path, `${lines.join('\n')}\n`)
}

/** A title is `Romaji (English)` and is listed under both. */
function rowsByTitle() {
  const table = parse(readFileSync(options.facts), { columns: true, bom: true, relax_quotes: true })
  const found = new Map()
  for (const row of table)
    for (const title of halves(row.Title)) {
      const key = nameKey(title)
      found.set(key, [...(found.get(key) ?? []), row])
    }
  return found
}

function halves(title) {
  if (!title.endsWith(')')) return [title]
  const cuts = Array.from(title.matchAll(/ \(/g), ({ index }) => index)
  return [title, ...cuts.flatMap((at) => [title.slice(0, at), title.slice(at + 2, -1)])]
}

function magazinesOf(work) {
  const { romaji, english, other = [] } = work.titles
  const found = [romaji, english, ...other]
    .filter(Boolean)
    .flatMap((title) => rows.get(nameKey(title)) ?? [])
    .find((row) => isOf(row, work) && row.Serialization !== '')
  return own.works[work.mal] ?? (found === undefined ? [] : [usualName(found.Serialization)])
}

function isOf(row, { authors = [], type, year }) {
  const names = new Set(partsOf(authors.join(' ')))
  return (
    partsOf(row.Author).some((part) => names.has(part)) &&
    row['Released date'].startsWith(`${year}-`) &&
    row.Types.toLowerCase() === type.replace('-', ' ')
  )
}

/** Family and given names, however they are ordered. */
function partsOf(names) {
  return names
    .split(/[^\p{L}\p{N}]+/u)
    .map(nameKey)
    .filter((part) => part.length > 1)
}

/** `Shounen Jump (Weekly)` is Weekly Shounen Jump. */
function usualName(name) {
  return own.names[name] ?? name.replace(/^(.+) \((Weekly|Monthly)\)$/, '$2 $1')
}
