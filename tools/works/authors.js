/**
 * Reads who thought anime up, as writers write it (authors.md), into the files of the catalogue:
 *   node tools/works/authors.js --lists <file> [<file> ...] [--works <folder>] [--write]
 * A line is `key: name | name`, or `key/title of a part: name | name` where a part has other authors. Prints keys and parts
 * that no anime has, and exits with 1 if there are any. `--write` puts the names into all anime of the franchise, and
 * those of the manga into an anime made from one that no line names.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inOrder } from './members.js'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    lists: { type: 'string', multiple: true, default: [] },
    works: { type: 'string', default: fileURLToPath(new URL('../../data/works', import.meta.url)) },
    write: { type: 'boolean', default: false },
  },
})
const files = [...options.lists, ...positionals]
if (files.length === 0) throw new Error('expected --lists <file>')

/** Of an anime made from something else, the manga of its franchise is an adaptation, too. */
const comicSources = new Set(['manga', 'web-manga', '4-koma-manga', 'webtoon', 'manhwa', 'manhua'])

const path = join(options.works, 'anime.jsonl')
const works = worksOf(path)
const authorsOfManga = new Map(
  worksOf(join(options.works, 'manga.jsonl'))
    .filter((work) => work.place === 'main')
    .map((work) => [work.franchise, work.authors]),
)
const lists = new Map(files.flatMap(linesOf).map(readLine))
const names = new Set(works.flatMap((work) => [work.franchise, partOf(work)]))
const unknown = [...lists.keys()].filter((name) => !names.has(name))

for (const name of unknown) console.log(`${name}: no anime has this key or title`)
console.log(`${lists.size} lines, ${unknown.length} faults`)
if (unknown.length > 0) process.exitCode = 1
if (options.write) {
  const lines = works.map((work) => JSON.stringify(inOrder({ ...work, authors: authorsOf(work) })))
  writeFileSync(path, `${lines.join('\n')}\n`)
}

function linesOf(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

function worksOf(file) {
  return linesOf(file).map((line) => JSON.parse(line))
}

/** Titles have colons, names have none. */
function readLine(line) {
  const end = line.lastIndexOf(': ')
  const authors = line
    .slice(end + 1)
    .split('|')
    .map((name) => name.trim())
  return [line.slice(0, end), authors]
}

function partOf({ franchise, titles }) {
  return `${franchise}/${titles.english ?? titles.romaji}`
}

function authorsOf(work) {
  const listed = lists.get(partOf(work)) ?? lists.get(work.franchise)
  return listed ?? (comicSources.has(work.source) ? authorsOfManga.get(work.franchise) : undefined)
}
