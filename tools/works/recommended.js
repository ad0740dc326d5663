/**
 * Reads lists of what to watch or read next, as writers write them (recommended.md), into the files of the catalogue:
 *   node tools/works/recommended.js --dataset anime --lists <file> [<file> ...] [--works <folder>] [--write]
 * A line is `key: title | title`, the best first; a key of a franchise may replace a title. Prints the names that no work
 * has, with the nearest, and exits with 1 if there are any. `--write` puts the lists into the works that represent their
 * franchise.
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
    lists: { type: 'string', multiple: true, default: [] },
    works: { type: 'string', default: fileURLToPath(new URL('../../data/works', import.meta.url)) },
    write: { type: 'boolean', default: false },
  },
})
const files = [...options.lists, ...positionals]
if (!['anime', 'manga'].includes(options.dataset) || files.length === 0)
  throw new Error('expected --dataset anime or manga, and --lists <file>')

const mostNames = 12
const path = join(options.works, `${options.dataset}.jsonl`)
const works = linesOf(path).map((line) => JSON.parse(line))
const keyOfName = namesOf(works)
const keys = new Set(works.map((work) => work.franchise))
const faults = []
const lists = new Map(files.flatMap(linesOf).map(readList))

for (const fault of faults) console.log(fault)
const names = [...lists.values()].map((list) => list.length)
console.log(
  `${lists.size} lists with ${names.reduce((sum, count) => sum + count, 0)} names, ${faults.length} faults`,
)
if (faults.length > 0) process.exitCode = 1
if (options.write) write()

function linesOf(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** Of works with one name, the one that represents its franchise, then the better known one, has it. */
function namesOf(all) {
  const found = new Map()
  const put = (name, key) => {
    const own = nameKey(name)
    if (own !== '' && !found.has(own)) found.set(own, key)
  }
  for (const { franchise } of all) put(franchise, franchise)
  const isOther = (work) => Number(work.place !== 'main')
  for (const work of all.toSorted((a, b) => isOther(a) - isOther(b) || a.rank - b.rank)) {
    const { romaji, english, native, other = [] } = work.titles
    for (const title of [romaji, english, native, ...other].filter(Boolean)) {
      put(title, work.franchise)
      put(title.split(':')[0], work.franchise)
    }
  }
  return found
}

function readList(line) {
  const [key, listed] = [line.split(':', 1)[0].trim(), line.slice(line.indexOf(':') + 1)]
  if (!keys.has(key)) faults.push(`${key}: no ${options.dataset} has this key`)
  const list = new Set()
  for (const name of listed
    .split('|')
    .map((name) => name.trim())
    .filter(Boolean)) {
    const found = keyOfName.get(nameKey(name))
    if (found === undefined)
      faults.push(`${key}: unknown "${name}", nearest ${nearest(nameKey(name))}`)
    else if (found === key) faults.push(`${key}: "${name}" is its own franchise`)
    else list.add(found)
  }
  return [key, [...list].slice(0, mostNames)]
}

/** By shared groups of three letters. */
function nearest(name) {
  const groups = (text) => new Set(Array.from(text, (_, at) => text.slice(at, at + 3)))
  const own = groups(name)
  const likeness = (other) => {
    const theirs = groups(other)
    const shared = [...own].filter((group) => theirs.has(group)).length
    return shared / (own.size + theirs.size - shared)
  }
  const [best] = [...keyOfName].toSorted((a, b) => likeness(b[0]) - likeness(a[0]))
  return best?.[1]
}

function write() {
  const standing = new Map()
  for (const work of works) {
    const known = standing.get(work.franchise)
    if (known === undefined || (known.place !== 'main' && work.place === 'main'))
      standing.set(work.franchise, work)
  }
  const lines = works.map((work) => {
    const list = standing.get(work.franchise) === work ? lists.get(work.franchise) : undefined
    return JSON.stringify(list?.length ? inOrder({ ...work, recommended: list }) : work)
  })
  writeFileSync(path, `${lines.join('\n')}\n`)
}
