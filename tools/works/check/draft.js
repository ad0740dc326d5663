/** A writer's file: parsed, and each fault named with its work and field. */
import { namesInText, faultsOfNames } from './names.js'
import { countWords, opening, runs, sharedRun } from './text.js'
import { faultsOfTags } from './vocabulary.js'

export const descriptionFields = ['A', 'R', 'M']
const bases = ['memory', 'mixed', 'text']
export const limits = { synopsis: [40, 70], description: [8, 35], sharedWords: 5 }

/** Works of a file of drafts, in order: { id, T, B, N, S, A, R, M, X }, and the lines that fit nowhere. */
export function parseDraft(text) {
  const works = []
  const faults = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const head = /^#\s*(\d+)\b/.exec(line)
    const field = /^([TBNSARMX]):\s*(.*)$/.exec(line)
    const work = works.at(-1)
    if (head) works.push({ id: Number(head[1]) })
    else if (!field || !work) faults.push(`line ${at + 1}: not understood: ${line.slice(0, 60)}`)
    else if (work[field[1]] !== undefined) faults.push(`${work.id} ${field[1]}: given twice`)
    else work[field[1]] = field[2].trim()
  }
  return { works, faults }
}

/** The works of a batch, by id: titles and source text. */
export function parseBatch(text) {
  const works = new Map()
  for (const block of text.split(/^(?=# \d+ \|)/m)) {
    const head = /^# (\d+) \| (.*)/.exec(block)
    if (!head) continue
    const source = /^text: ([\s\S]*)/m.exec(block)?.[1].trim() ?? ''
    works.set(Number(head[1]), { titles: titlesOf(head[2].split(' | ')[0]), source })
  }
  return works
}

function titlesOf(field) {
  const [, main, others] = /^(.*?)(?: \(([^()]*(?:\([^()]*\)[^()]*)*)\))?$/.exec(field)
  return [...main.split(' / '), ...(others?.split(';') ?? [])].map((title) => title.trim())
}

/** "war 3, bleak 2" as { war: 3, bleak: 2 }. */
export function parseTags(line) {
  const tags = {}
  const faults = []
  for (const part of line.split(',')) {
    const found = /^\s*([a-z0-9-]+)\s+([123])\s*$/.exec(part)
    if (!found) faults.push(`"${part.trim()}" is no tag with a weight 1 to 3`)
    else if (found[1] in tags) faults.push(`${found[1]} occurs twice`)
    else tags[found[1]] = Number(found[2])
  }
  return { tags, faults }
}

/** All faults of a file of drafts against its batch. */
export function faultsOfDraft(text, batch, vocabulary) {
  const { works, faults } = parseDraft(text)
  const seen = new Set()
  for (const work of works) {
    if (!batch.has(work.id)) faults.push(`${work.id}: not in this batch`)
    if (seen.has(work.id)) faults.push(`${work.id}: written twice`)
    seen.add(work.id)
    faults.push(...faultsOfWork(work, batch.get(work.id), vocabulary))
  }
  for (const id of batch.keys()) if (!seen.has(id)) faults.push(`${id}: missing`)
  return [...faults, ...faultsOfVoice(works)]
}

function faultsOfWork(work, source, vocabulary) {
  const faults = []
  const say = (field, fault) => faults.push(`${work.id} ${field}: ${fault}`)
  if (work.X !== undefined) {
    if (work.X === '') say('X', 'no reason')
    return faults
  }
  const { tags, faults: unread } = parseTags(work.T ?? '')
  for (const fault of [...unread, ...faultsOfTags(vocabulary, tags)]) say('T', fault)
  if (!bases.includes(work.B)) say('B', `expected ${bases.join(', ')}`)
  const given = descriptionFields.filter((field) => work[field])
  const wanted = work.B === 'text' ? 1 : 3
  if (given.length < wanted) say('A R M', `${given.length} descriptions; ${wanted} are wanted`)
  if (!work.S) say('S', 'missing')

  const sourceRuns = new Set(runs(source?.source ?? '', limits.sharedWords))
  const names = namesInText(source?.source ?? '')
  for (const field of ['S', ...given]) {
    const text = work[field]
    if (!text) continue
    const [least, most] = field === 'S' ? limits.synopsis : limits.description
    const count = countWords(text)
    if (count < least || count > most) say(field, `${count} words; ${least} to ${most}`)
    const odd = /[^\x20-\x7e]/u.exec(text)
    if (odd) say(field, `"${odd[0]}" is not ASCII; use plain quotes, - and letters`)
    const shared = sharedRun(text, sourceRuns, limits.sharedWords)
    if (shared) say(field, `"${shared}" is copied from the source text`)
    if (field !== 'S')
      for (const fault of faultsOfNames(text, source?.titles ?? [], names)) say(field, fault)
  }
  return faults
}

/** Openings that stand more than twice, four words that stand more than three times. */
function faultsOfVoice(works) {
  const faults = []
  const all = works.flatMap((work) =>
    ['S', ...descriptionFields]
      .filter((field) => work[field])
      .map((field) => ({ where: `${work.id} ${field}`, field, text: work[field] })),
  )
  const tell = (key, limit, what) => {
    for (const [said, places] of groups(all, key))
      if (places.length > limit) faults.push(`${places.slice(limit).join(', ')}: ${what(said)}`)
  }
  tell(
    (part) => [opening(part.text)],
    2,
    (said) => `a third or later text begins "${said}"`,
  )
  tell(
    (part) => new Set(runs(part.text, 4)),
    3,
    (said) => `a fourth or later text says "${said}"`,
  )
  return faults
}

function groups(all, keysOf) {
  const places = new Map()
  for (const part of all)
    for (const key of keysOf(part)) places.set(key, [...(places.get(key) ?? []), part.where])
  return places
}
