/**
 * Samples for the blind checks of texts (bench/results/quality/works.md):
 *   node tools/works/blind-samples.js FOLDER [--seed WORD]
 * Writes FOLDER/lines.txt (300 scene lines with their work, to judge), FOLDER/guess.txt (three lines of each of
 * 200 works, to name) with FOLDER/guess-answers.txt, and FOLDER/synopses.txt (200 synopses, to say what the work is about)
 * with FOLDER/synopses-answers.txt.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: 'blind' } },
})
const [folder] = positionals
if (folder === undefined) throw new Error('expected a folder')
mkdirSync(folder, { recursive: true })

const works = ['anime', 'manga'].flatMap((dataset) =>
  readFileSync(new URL(`../../data/works/${dataset}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ dataset, ...JSON.parse(line) })),
)
const written = works.filter(({ scenes }) => scenes !== undefined)
const nameOf = ({ dataset, titles, year }) =>
  `${titles.english ?? titles.romaji} (${dataset}, ${year ?? '?'})`

const lines = pick(
  written.flatMap((work) =>
    [...work.scenes, ...(work.spoilers ?? [])].map((line) => ({
      key: `${work.mal} ${line}`,
      line,
      work,
    })),
  ),
  300,
)
write(
  'lines.txt',
  lines.map(({ line, work }, at) => `${at + 1} | ${nameOf(work)} | ${line}`),
)

// By rank: every n-th work, so that well-known and unknown ones are there alike.
const guessed = everyNth(
  written.filter(({ scenes }) => scenes.length > 2),
  200,
)
write(
  'guess.txt',
  guessed.map(({ mal, scenes }, at) => {
    const three = pick(
      scenes.map((line) => ({ key: `${mal} ${line}`, line })),
      3,
    )
    return `${at + 1}\n${three.map(({ line }) => `  ${line}`).join('\n')}`
  }),
)
write(
  'guess-answers.txt',
  guessed.map((work, at) => `${at + 1} | ${nameOf(work)} | rank ${work.rank} | ${work.franchise}`),
)

const read = pick(
  written.map((work) => ({ key: `synopsis ${work.dataset} ${work.mal}`, work })),
  200,
)
write(
  'synopses.txt',
  read.map(({ work }, at) => `${at + 1} | ${work.synopsis}`),
)
write(
  'synopses-answers.txt',
  read.map(({ work }, at) => {
    const tags = Object.entries(work.tags).flatMap(([tag, weight]) => (weight > 1 ? tag : []))
    return `${at + 1} | ${nameOf(work)} | ${work.genres.join(', ')} | ${tags.join(', ')}`
  }),
)

function pick(list, count) {
  const hashed = list.map((one) => ({ ...one, hash: hashOf(one.key) }))
  return hashed.sort((one, other) => (one.hash < other.hash ? -1 : 1)).slice(0, count)
}

function everyNth(list, count) {
  const step = list.length / count
  return Array.from(
    { length: Math.min(count, list.length) },
    (_, at) => list[Math.floor(at * step)],
  )
}

function hashOf(key) {
  return createHash('sha256').update(`${values.seed} ${key}`).digest('hex')
}

function write(name, rows) {
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`)
}
