/** Words, folded: case, accents, apostrophes, hyphens and digits make no difference. */

/** Lower case without accents; apostrophes vanish, all else that is no letter parts words. */
export function fold(text) {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/['\u2018\u2019`]/g, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
}

/** Equal for names that differ in case, marks and spaces alone: letters, then digits. */
export const nameKey = (name) => fold(name).replaceAll(' ', '') + name.replace(/\D/g, '')

/** The folded words of a text, in order. */
export function words(text) {
  const folded = fold(text)
  return folded === '' ? [] : folded.split(' ')
}

/** How many words a reader counts: runs without spaces that hold a letter or digit. */
export function countWords(text) {
  return text.split(/\s+/).filter((run) => /[\p{L}\p{N}]/u.test(run)).length
}

/** All runs of `size` folded words. */
export function runs(text, size) {
  const all = words(text)
  return Array.from({ length: Math.max(0, all.length - size + 1) }, (_, at) =>
    all.slice(at, at + size).join(' '),
  )
}

/** The first run of `size` words that both have, or undefined. */
export function sharedRun(text, known, size) {
  return runs(text, size).find((run) => known.has(run))
}

/** The first three folded words. */
export function opening(text) {
  return words(text).slice(0, 3).join(' ')
}

/** How many letters to change, add or drop (Levenshtein). */
export function distance(a, b) {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row[j] = Math.min(
        above[j] + 1,
        row[j - 1] + 1,
        above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    above = row
  }
  return above[b.length]
}
