/**
 * Reads titles and statuses, as writers write them (titles.md), into a file of the catalogue:
 *   node tools/works/titles.js --dataset anime --titles <file> [<file> ...] [--works <folder>] [--write]
 * Prints titles that a work of another franchise has and members that nobody knows, leaves those out, and exits with 1 if
 * there are any. `--write` adds the rest.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { nameKey } from './check/text.js'
import { inOrder } from './members.js'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dataset: { type: 'string' },
    titles: { type: 'string', multiple: true, default: [] },
    works: { type: 'string', default: fileURLToPath(new URL('../../data/works', import.meta.url)) },
    write: { type: 'boolean', default: false },
  },
})
const files = [...options.titles, ...positionals]
if (!['anime', 'manga'].includes(options.dataset) || files.length === 0)
  throw new Error('expected --dataset anime or manga, and --titles <file>')

const mostOthers = 12
const statuses = new Map(
  ['finished', 'ongoing', 'hiatus', 'cancelled'].map((status) => [status, status]),
).set('releasing', 'ongoing')
const path = join(options.works, `${options.dataset}.jsonl`)
const works = linesOf(path).map((line) => JSON.parse(line))
const byId = new Map(works.map((work) => [work.mal, work]))
const owners = new Map(
  works.flatMap((work) => titlesOf(work).map((title) => [nameKey(title), work])),
)
const faults = []
const added = { native: 0, english: 0, other: 0, status: 0 }

// Who is better known has a title that two are given.
const given = files.flatMap(linesOf).map((line) => JSON.parse(line))
const rankOf = ({ mal }) => byId.get(mal)?.rank ?? Infinity
for (const one of given.toSorted((a, b) => rankOf(a) - rankOf(b))) add(one)
for (const fault of faults) console.log(fault)
console.log(`${given.length} lines, ${JSON.stringify(added)}, ${faults.length} faults`)
if (faults.length > 0) process.exitCode = 1
if (options.write) {
  writeFileSync(path, works.map((work) => `${JSON.stringify(inOrder(work))}\n`).join(''))
}

function linesOf(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

function titlesOf({ titles: { romaji, english, native, other = [] } }) {
  return [romaji, english, native, ...other].filter(Boolean)
}

function add({ mal, native, english, other = [], status, ...unknown }) {
  const work = byId.get(mal)
  if (work === undefined) return void faults.push(`${mal}: no ${options.dataset} has this id`)
  for (const member of Object.keys(unknown)) faults.push(`${mal}: unknown member ${member}`)
  const { titles } = work
  if (native && !titles.native && isFree(work, native)) put(work, 'native', native)
  if (english && !titles.english && isFree(work, english)) put(work, 'english', english)
  const others = titles.other ?? []
  for (const title of other) {
    if (others.length < mostOthers && isFree(work, title)) {
      others.push(title)
      owners.set(nameKey(title), work)
      added.other += 1
    }
  }
  work.titles = {
    romaji: titles.romaji,
    ...(titles.english && { english: titles.english }),
    ...(titles.native && { native: titles.native }),
    ...(others.length > 0 && { other: others }),
  }
  if (status === undefined) return
  if (!statuses.has(status)) return void faults.push(`${mal}: unknown status ${status}`)
  work.status = statuses.get(status)
  added.status += 1
}

function put(work, member, title) {
  work.titles[member] = title
  owners.set(nameKey(title), work)
  added[member] += 1
}

function isFree(work, title) {
  const owner = owners.get(nameKey(title))
  if (owner !== undefined && owner.franchise !== work.franchise)
    faults.push(`${work.mal} ${work.titles.romaji}: "${title}" is ${owner.titles.romaji}`)
  return owner === undefined && nameKey(title) !== '' && title.trim() === title
}
