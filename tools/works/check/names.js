/** Titles, rare title words and names of characters: what a description must not give away. */
import { readFileSync } from 'node:fs'
import { fold, words } from './text.js'

const read = (file) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
const ordinary = new Set(read('ordinary-words.txt'))
/** Capitals that name no character: countries, cities, feasts, peoples. */
const plainNames = new Set(read('plain-names.txt').flatMap(words))

/** An English word that many know, in any of its usual forms. */
export function isOrdinary(word) {
  return forms(word).some((form) => ordinary.has(form) || plainNames.has(form))
}

function forms(word) {
  const found = [word]
  for (const [end, other] of endings)
    if (word.endsWith(end) && word.length - end.length > 2)
      for (const put of other) found.push(word.slice(0, -end.length) + put)
  return found
}

const endings = [
  ['s', ['']],
  ['es', ['']],
  ['ies', ['y']],
  ['ed', ['', 'e']],
  ['ing', ['', 'e']],
  ['er', ['', 'e']],
  ['ers', ['', 'e']],
  ['y', ['']],
  ['ish', ['', 'e']],
  ['ness', ['']],
  ['ly', ['']],
]

/** Words of a title that hardly anybody says who has forgotten it. */
export function rareTitleWords(titles) {
  return new Set(titles.flatMap(words).filter((word) => word.length > 3 && !isOrdinary(word)))
}

/** Capitalised words inside sentences of a source text, if they are no ordinary words. */
export function namesInText(text) {
  const found = text.matchAll(/(?<=[\p{Ll},;] ["'\u201c]?)\p{Lu}\p{Ll}{2,}/gu)
  return new Set([...found].flatMap(([name]) => words(name)).filter((name) => !isOrdinary(name)))
}

/** Faults of one description; `titles` and `names` of the work, names folded. */
export function faultsOfNames(description, titles, names = new Set()) {
  const faults = []
  const folded = ` ${fold(description)} `
  const own = words(description)
  const full = titles.find((title) => isTelling(title) && folded.includes(` ${fold(title)} `))
  if (full !== undefined) faults.push(`the title "${full}"`)
  const rare = rareTitleWords(titles)
  for (const word of new Set(own)) {
    if (rare.has(word)) faults.push(`the rare title word "${word}"`)
    else if (names.has(word)) faults.push(`the name "${word}" of the source text`)
  }
  for (const word of capitals(description))
    if (!rare.has(fold(word)) && !names.has(fold(word)))
      faults.push(`"${word}" looks like a name; no names of characters or works`)
  return faults
}

/** Titles of one ordinary word ("Monster", "Another") or of two letters ("OP") are said by chance. */
function isTelling(title) {
  const parts = words(title)
  return parts.length > 1 || (parts.length === 1 && parts[0].length > 2 && !isOrdinary(parts[0]))
}

function capitals(text) {
  const found = text.matchAll(/(?<![.!?:"(]\s*["'(]?|^["'(]?)\b\p{Lu}[\p{L}]*/gu)
  return [...found].map(([word]) => word).filter((word) => word.length > 1 && !isPlain(word))
}

function isPlain(word) {
  return plainNames.has(fold(word)) || (word.length <= 4 && word === word.toUpperCase())
}
