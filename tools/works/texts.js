/**
 * New synopses and remembered scenes for the works in data/works (texts-brief.md is the writers' brief):
 *   node tools/works/texts.js batches FOLDER [--size 30]   writes FOLDER/batches/NNNN.txt, best-known works first
 *   node tools/works/texts.js next FOLDER                  claims the next batch and prints its path
 *   node tools/works/texts.js check FOLDER NNNN            lists the faults of FOLDER/done/NNNN.txt
 *   node tools/works/texts.js edits FOLDER                 lists the faults of edited synopses in FOLDER/done
 *   node tools/works/texts.js apply FOLDER                 puts all of FOLDER/done into data/works/*.jsonl
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readSourceTexts } from './check/source-texts.js'
import { faultsOfSynopsis, faultsOfTexts, parseTexts } from './check/texts.js'
import { inOrder } from './members.js'

const works = fileURLToPath(new URL('../../data/works', import.meta.url))
const shared = fileURLToPath(new URL('../../../shared/data', import.meta.url))
const files = { a: 'anime', m: 'manga' }

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: '30' }, texts: { type: 'string', default: shared } },
})
const [verb, folder, name] = positionals
const verbs = { batches, next, check, edits, apply }
if (!(verb in verbs) || folder === undefined)
  throw new Error('expected batches, next, check, edits or apply, and a folder')
verbs[verb]()

function readWorks(file) {
  return readFileSync(join(works, `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** All works by key (`a16498`, `m2`), in the order of their ranks. */
function allWorks() {
  return Object.entries(files)
    .flatMap(([letter, file]) =>
      readWorks(file).map((work) => ({ key: `${letter}${work.mal}`, file, work })),
    )
    .sort((a, b) => order(a) - order(b) || a.key.localeCompare(b.key))
}

/** 1,500 anime and 800 manga come first: a manga counts for nearly two anime. */
function order({ file, work }) {
  return file === 'anime' ? work.rank : work.rank * 1.9
}

function batches() {
  const size = Number(values.size)
  const textsOf = readSourceTexts(values.texts)
  mkdirSync(join(folder, 'batches'), { recursive: true })
  for (const part of ['done', 'claims']) mkdirSync(join(folder, part), { recursive: true })
  const all = allWorks().filter(({ work }) => work.scenes === undefined)
  for (let at = 0; at < all.length; at += size)
    writeFileSync(
      join(folder, 'batches', `${String(at / size + 1).padStart(4, '0')}.txt`),
      all
        .slice(at, at + size)
        .map((entry) => describe(entry, textsOf))
        .join('\n'),
    )
}

function describe({ key, file, work }, textsOf) {
  const { romaji, english } = work.titles
  const tags = Object.entries(work.tags).filter(([, weight]) => weight > 1)
  const people = work.characters?.join(', ')
  const lines = [
    `# ${key} | ${[english, romaji].filter(Boolean).join(' / ')} | ${work.type} ${work.year ?? ''} | ${work.place} of ${work.franchise} | ${(work.studios ?? work.authors ?? []).join(', ')}`,
    `tags: ${tags.map(([tag]) => tag).join(' ')}`,
  ]
  if (people) lines.push(`people: ${people}`)
  lines.push(`old: ${work.synopsis}`)
  const [text] = textsOf?.(file, work) ?? []
  if (text !== undefined) lines.push(`facts: ${text.replace(/\s+/g, ' ').trim().slice(0, 700)}`)
  return `${lines.join('\n')}\n`
}

function next() {
  for (const batch of readdirSync(join(folder, 'batches')).sort()) {
    try {
      mkdirSync(join(folder, 'claims', batch))
    } catch (error) {
      if (error.code === 'EEXIST') continue
      throw error
    }
    console.log(join(folder, 'batches', batch))
    return
  }
  console.log('no batch is left')
}

function check() {
  const batch = readFileSync(join(folder, 'batches', `${name}.txt`), 'utf8')
  const keys = [...batch.matchAll(/^# ([am]\d+) \|/gm)].map(([, key]) => key)
  const byKey = new Map(allWorks().map((entry) => [entry.key, entry]))
  const textsOf = readSourceTexts(values.texts)
  const draft = readFileSync(join(folder, 'done', `${name}.txt`), 'utf8')
  const faults = faultsOfTexts(draft, keys, (key) => {
    const { file, work } = byKey.get(key)
    return { titles: work.titles, sources: textsOf?.(file, work) ?? [] }
  })
  for (const fault of faults) console.log(fault)
  console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults`)
}

function edits() {
  const byKey = new Map(allWorks().map((entry) => [entry.key, entry]))
  const textsOf = readSourceTexts(values.texts)
  for (const draft of readdirSync(join(folder, 'done')).filter((file) => file.endsWith('.txt'))) {
    const parsed = parseTexts(readFileSync(join(folder, 'done', draft), 'utf8'))
    for (const fault of parsed.faults) console.log(`${draft}: ${fault}`)
    for (const { key, synopsis } of parsed.works) {
      const { file, work } = byKey.get(key) ?? {}
      const faults =
        work === undefined
          ? ['no such work']
          : faultsOfSynopsis(synopsis ?? '', textsOf?.(file, work) ?? [])
      for (const fault of faults) console.log(`${draft}: ${key} ${fault}`)
    }
  }
}

function apply() {
  const written = new Map()
  for (const file of readdirSync(join(folder, 'done')).filter((file) => file.endsWith('.txt')))
    for (const work of parseTexts(readFileSync(join(folder, 'done', file), 'utf8')).works)
      written.set(work.key, work)
  for (const [letter, file] of Object.entries(files)) {
    let changed = 0
    const lines = readWorks(file).map((work) => {
      const draft = written.get(`${letter}${work.mal}`)
      if (draft?.synopsis === undefined) return work
      changed += 1
      const { synopsis, scenes, spoilers, looksLike } = draft
      const members = { ...work, synopsis }
      // An editor's file has synopses alone.
      if (scenes.length === 0) return inOrder(members)
      for (const [member, list] of Object.entries({ scenes, spoilers, looksLike })) {
        delete members[member]
        if (list.length > 0) members[member] = list
      }
      return inOrder(members)
    })
    const path = join(works, `${file}.jsonl`)
    if (existsSync(path))
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    console.log(`${file}: ${changed} of ${lines.length} works have new texts`)
  }
}
