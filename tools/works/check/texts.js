/** A writer's file of synopses and scenes: parsed, and each fault named with its work. */
import { faultsOfNames } from './names.js'
import { countWords, runs, sharedRun } from './text.js'

export const textLimits = {
  synopsis: [55, 100],
  scene: [6, 24],
  scenes: [6, 10],
  looksLike: [1, 20],
  sharedWords: 5,
}

/** Works of a draft, in order: { key, synopsis, scenes, spoilers, looksLike, skipped }. */
export function parseTexts(text) {
  const works = []
  const faults = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const head = /^#\s*([am]\d+)\b/.exec(line)
    const field = /^(S:|X:|-|!|~)\s+(\S.*)$/.exec(line)
    const work = works.at(-1)
    if (head) works.push({ key: head[1], scenes: [], spoilers: [], looksLike: [] })
    else if (!field || !work) faults.push(`line ${at + 1}: not understood: ${line.slice(0, 60)}`)
    else put(work, field[1], field[2].trim(), faults)
  }
  return { works, faults }
}

function put(work, mark, text, faults) {
  if (mark === '-') work.scenes.push(text)
  else if (mark === '!') work.spoilers.push(text)
  else if (mark === '~') work.looksLike.push(text)
  else {
    const member = mark === 'S:' ? 'synopsis' : 'skipped'
    if (work[member] !== undefined) faults.push(`${work.key}: ${mark} is given twice`)
    work[member] = text
  }
}

/** All faults of a draft; `keys` are the works of its batch, `factsOf(key)` has titles and source texts. */
export function faultsOfTexts(text, keys, factsOf) {
  const { works, faults } = parseTexts(text)
  const seen = new Set()
  for (const work of works) {
    if (seen.has(work.key)) faults.push(`${work.key}: written twice`)
    seen.add(work.key)
    if (!keys.includes(work.key)) faults.push(`${work.key}: not in this batch`)
    else
      for (const fault of faultsOfWork(work, factsOf(work.key))) faults.push(`${work.key} ${fault}`)
  }
  for (const key of keys) if (!seen.has(key)) faults.push(`${key}: missing`)
  return faults
}

/** Faults of a synopsis alone: its length, signs, and words in a row that a source has too. */
export const faultsOfSynopsis = (synopsis, sources) =>
  faultsOfText('synopsis', synopsis, textLimits.synopsis, knownRuns(sources))

const knownRuns = (sources) =>
  new Set(sources.flatMap((source) => runs(source, textLimits.sharedWords)))

function faultsOfText(field, text, [least, most], known) {
  const faults = []
  const count = countWords(text)
  if (count < least || count > most) faults.push(`${field}: ${count} words; ${least} to ${most}`)
  const odd = /[^\x20-\x7e]/u.exec(text)
  if (odd) faults.push(`${field}: "${odd[0]}" is not ASCII`)
  const shared = sharedRun(text, known, textLimits.sharedWords)
  if (shared !== undefined) faults.push(`${field}: "${shared}" is also in a source text`)
  return faults
}

function faultsOfWork({ synopsis, scenes, spoilers, looksLike, skipped }, { titles, sources }) {
  const faults = []
  const known = knownRuns(sources)
  const names = ['romaji', 'english', 'native', 'other'].flatMap((field) => titles[field] ?? [])
  const check = (field, text, limits) => faults.push(...faultsOfText(field, text, limits, known))
  if (synopsis === undefined) faults.push('synopsis: missing')
  else check('synopsis', synopsis, textLimits.synopsis)
  const lines = [...scenes, ...spoilers]
  const [least, most] = textLimits.scenes
  if (lines.length > most) faults.push(`scenes: ${lines.length}; at most ${most}`)
  if (lines.length < least && skipped === undefined)
    faults.push(`scenes: ${lines.length}; at least ${least}, or X: and the reason`)
  for (const [at, line] of lines.entries()) {
    check(`scene ${at + 1}`, line, textLimits.scene)
    for (const fault of faultsOfNames(line, names)) faults.push(`scene ${at + 1}: ${fault}`)
  }
  if (new Set(lines).size < lines.length) faults.push('scenes: one is written twice')
  for (const line of looksLike) check('looks like', line, textLimits.looksLike)
  return faults
}
