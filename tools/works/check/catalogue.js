/** All faults of the catalogue: data/works/{anime,manga}.jsonl, tags.json, franchises.json. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { limits } from './draft.js'
import { faultsOfFranchises } from './franchises.js'
import { faultsOfNames, isOrdinary, namesInText } from './names.js'
import { faultsOfRepetition } from './repetition.js'
import { countWords, runs, sharedRun, words } from './text.js'
import { textLimits } from './texts.js'
import { faultsOfTags, faultsOfVocabulary, readVocabulary } from './vocabulary.js'

const schema = new URL('../../../data/works/schema.json', import.meta.url)
const isRecord = new Ajv2020({ allErrors: true }).compile(JSON.parse(readFileSync(schema, 'utf8')))

const titleFields = ['romaji', 'english', 'native', 'other']

/** `textsOf` as of source-texts.js, or undefined where those texts are not at hand. */
export function faultsOfCatalogue(folder, textsOf) {
  const vocabulary = readVocabulary(join(folder, 'tags.json'))
  const faults = faultsOfVocabulary(vocabulary)
  const works = []
  for (const file of ['anime', 'manga']) {
    const path = join(folder, `${file}.jsonl`)
    if (!existsSync(path)) continue
    const read = readRecords(path, file)
    faults.push(...read.faults, ...faultsOfOrder(read.works))
    works.push(...read.works)
  }
  for (const work of works) faults.push(...faultsOfRecord(work, vocabulary, textsOf))
  faults.push(...faultsOfFranchises(works, readReasons(join(folder, 'franchises.json'))))
  faults.push(...faultsOfRepetition(works.flatMap(placedDescriptions)))
  return { works: works.length, faults }
}

/** Records that follow the schema; the other checks would stumble over the rest. */
function readRecords(path, file) {
  const works = []
  const faults = []
  for (const [at, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue
    const where = `${file}.jsonl:${at + 1}`
    let record
    try {
      record = JSON.parse(line)
    } catch (error) {
      faults.push(`${where}: ${error.message}`)
      continue
    }
    if (isRecord(record)) works.push({ file, record, where: `${file} ${record.mal}` })
    else
      for (const { instancePath, message, params } of isRecord.errors ?? [])
        if (params.failingKeyword === undefined)
          faults.push(`${where}: ${instancePath} ${message} ${JSON.stringify(params)}`)
  }
  return { works, faults }
}

function readReasons(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

function faultsOfOrder(works) {
  const faults = []
  const seen = { mal: new Map(), anilist: new Map(), rank: new Map() }
  for (const [at, { record, where }] of works.entries()) {
    // Manhwa have ranks of their own.
    const rank = `${record.rank}${record.type === 'manhwa' ? ' manhwa' : ''}`
    for (const [member, id] of Object.entries({ ...record, rank }))
      if (member in seen) {
        const other = seen[member].get(id)
        if (other !== undefined) faults.push(`${where}: ${member} ${id} is also that of ${other}`)
        seen[member].set(id, where)
      }
    if (at > 0 && record.rank < works[at - 1].record.rank)
      faults.push(`${where}: rank ${record.rank} comes after ${works[at - 1].record.rank}`)
  }
  return faults
}

function faultsOfRecord({ file, record, where }, vocabulary, textsOf) {
  const faults = faultsOfTags(vocabulary, record.tags).map((fault) => `${where} tags: ${fault}`)
  const texts = textsOf?.(file, record) ?? []
  const known = new Set(texts.flatMap((text) => runs(text, limits.sharedWords)))
  const names = namesInText(texts.join('\n'))
  const titles = titleFields.flatMap((field) => record.titles[field] ?? [])
  const check = (field, text, [least, most], nameFaults = []) => {
    const say = (fault) => faults.push(`${where} ${field}: ${fault}`)
    const count = countWords(text)
    if (count < least || count > most) say(`${count} words; ${least} to ${most}`)
    // What a work is mistaken for is mostly a title.
    const faultsOf = field === 'looks like' ? faultsOfSigns : faultsOfLanguage
    for (const fault of faultsOf(text)) say(fault)
    const shared = sharedRun(text, known, limits.sharedWords)
    if (shared !== undefined) say(`"${shared}" is copied from a source text`)
    for (const fault of nameFaults) say(fault)
  }
  const { synopsis, descriptions, scenes = [], spoilers = [], looksLike = [] } = record
  const lines = [...scenes, ...spoilers]
  check('synopsis', synopsis, lines.length > 0 ? textLimits.synopsis : limits.synopsis)
  for (const [at, text] of descriptions.entries())
    check(`description ${at + 1}`, text, limits.description, faultsOfNames(text, titles, names))
  for (const [at, text] of lines.entries())
    check(`scene ${at + 1}`, text, textLimits.scene, faultsOfNames(text, titles))
  for (const text of looksLike) check('looks like', text, textLimits.looksLike)
  const [, most] = textLimits.scenes
  if (lines.length > most) faults.push(`${where} scenes: ${lines.length}; at most ${most}`)
  if (new Set(lines).size < lines.length) faults.push(`${where} scenes: one is written twice`)
  return faults
}

/** Plain ASCII. */
function faultsOfSigns(text) {
  const odd = /[^\x20-\x7e]/u.exec(text)
  return odd ? [`"${odd[0]}" is not ASCII`] : []
}

/** Plain ASCII, and mostly words that English texts use. */
function faultsOfLanguage(text) {
  const faults = faultsOfSigns(text)
  const all = words(text)
  const english = all.filter((word) => word.length < 3 || isOrdinary(word)).length
  if (english < 0.6 * all.length) faults.push('hardly English')
  return faults
}

function placedDescriptions({ record, where }) {
  return record.descriptions.map((text, at) => ({ where: `${where} description ${at + 1}`, text }))
}
