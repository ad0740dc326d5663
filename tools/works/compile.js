/**
 * Merges facts with what the writers wrote into the files of the catalogue:
 *   node tools/works/compile.js --facts <folder> --done <folder> [--out <folder>]
 * `facts` holds anime.jsonl and manga.jsonl (a record's facts a line), `done` the writers' files
 * (anime-001.txt, manga-001.txt, manhwa-001.txt ...). Works not yet written are listed and left out.
 *   node tools/works/compile.js --facts <folder> --only minutes,year
 * takes these members of the works that are there from `facts`, and leaves all others as they are.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { descriptionFields, parseDraft, parseTags } from './check/draft.js'
import { nameKey } from './check/text.js'
import { inOrder } from './members.js'

const { values: options } = parseArgs({
  options: {
    facts: { type: 'string' },
    done: { type: 'string' },
    out: { type: 'string' },
    only: { type: 'string' },
  },
})
if (options.facts === undefined || (options.done === undefined && options.only === undefined))
  throw new Error(
    'expected --facts <folder> and --done <folder> or --only <members> [--out <folder>]',
  )
const out = options.out ?? fileURLToPath(new URL('../../data/works', import.meta.url))

for (const file of ['anime', 'manga']) {
  if (options.only === undefined) compile(file)
  else renew(file, options.only.split(','))
}

function compile(file) {
  const written = readWritten(file)
  const facts = readLines(join(options.facts, `${file}.jsonl`))
  const records = facts
    .filter((fact) => written.works.has(fact.mal))
    .map((fact) => record(fact, written.works.get(fact.mal)))
    .toSorted((a, b) => a.rank - b.rank || a.type.localeCompare(b.type) || a.mal - b.mal)
  writeFileSync(
    join(out, `${file}.jsonl`),
    records.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  const known = new Set(facts.map((fact) => fact.mal))
  for (const id of written.works.keys())
    if (!known.has(id)) console.log(`${file} ${id}: written, but there are no facts`)
  const missing = facts.length - records.length - written.leftOut.size
  console.log(
    `${file}: ${records.length} works, ${written.leftOut.size} left out, ${missing} not written`,
  )
}

function renew(file, names) {
  const facts = new Map(
    readLines(join(options.facts, `${file}.jsonl`)).map((fact) => [fact.mal, fact]),
  )
  const path = join(out, `${file}.jsonl`)
  const records = readLines(path).map((work) => {
    const stated = names.map((name) => [name, facts.get(work.mal)?.[name]])
    return inOrder({ ...work, ...Object.fromEntries(stated) })
  })
  writeFileSync(path, records.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const count = (name) => records.filter((work) => work[name] != null).length
  console.log(`${file}: ${names.map((name) => `${name} of ${count(name)}`).join(', ')}`)
}

/** The finished works of one file by id; what is not finished is printed. */
function readWritten(file) {
  const works = new Map()
  const leftOut = new Set()
  const own = file === 'anime' ? /^anime-.*\.txt$/ : /^(manga|manhwa)-.*\.txt$/
  for (const name of readdirSync(options.done)
    .filter((name) => own.test(name))
    .toSorted()) {
    const draft = parseDraft(readFileSync(join(options.done, name), 'utf8'))
    for (const fault of draft.faults) console.log(`${name}: ${fault}`)
    for (const work of draft.works) {
      if (works.has(work.id)) console.log(`${name}: ${work.id}: written before; this one is taken`)
      works.delete(work.id)
      leftOut.delete(work.id)
      if (work.X !== undefined) leftOut.add(work.id)
      else if (work.T && work.B && work.S && descriptionFields.some((field) => work[field]))
        works.set(work.id, work)
      else console.log(`${name}: ${work.id}: not finished`)
    }
  }
  return { works, leftOut }
}

function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

function record(fact, work) {
  const all = {
    genres: [],
    ...fact,
    titles: withNames(fact.titles, work.N),
    tags: heaviestFirst(parseTags(work.T).tags),
    synopsis: work.S,
    descriptions: descriptionFields.map((field) => work[field]).filter(Boolean),
    basis: work.B,
  }
  return inOrder(all)
}

/** Adds names that are not there yet, whatever their case and marks. */
function withNames({ romaji, english, native, other = [] }, names = '') {
  const seen = new Set([romaji, english, native].filter(Boolean).map(nameKey))
  const more = [...other, ...names.split('|').map((name) => name.trim())].filter(
    (name) => name !== '' && !seen.has(nameKey(name)) && seen.add(nameKey(name)),
  )
  return {
    romaji,
    ...(english && { english }),
    ...(native && { native }),
    ...(more.length > 0 && { other: more }),
  }
}

function heaviestFirst(tags) {
  return Object.fromEntries(
    Object.entries(tags).toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b)),
  )
}
