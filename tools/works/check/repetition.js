/** What too many descriptions share: whole sentences, openings, phrases. */
import { opening, runs } from './text.js'

/** Of two descriptions with so many of their runs of three words in common, one is a copy. */
const nearDuplicate = 0.4
/** A share of all descriptions, and so many at least. */
const tooMany = { share: 0.015, least: 5 }

/** `descriptions`: { where, text } in order. */
export function faultsOfRepetition(descriptions) {
  return [
    ...faultsOfDuplicates(descriptions),
    ...faultsOfHabits(descriptions, (text) => [opening(text)], 'begin with'),
    ...faultsOfHabits(descriptions, (text) => runs(text, 4), 'say'),
  ]
}

function faultsOfDuplicates(descriptions) {
  const faults = []
  const holders = new Map()
  const sizes = []
  for (const [at, { where, text }] of descriptions.entries()) {
    const own = new Set(runs(text, 3))
    sizes.push(own.size)
    const shared = new Map()
    for (const run of own) {
      const before = holders.get(run) ?? []
      for (const other of before) shared.set(other, (shared.get(other) ?? 0) + 1)
      // A phrase that everybody uses makes no copy, and would make this slow.
      if (before.length < 100) before.push(at)
      holders.set(run, before)
    }
    for (const [other, count] of shared)
      if (count / (own.size + sizes[other] - count) >= nearDuplicate)
        faults.push(`${where}: nearly the same as ${descriptions[other].where}`)
  }
  return faults
}

function faultsOfHabits(descriptions, keysOf, verb) {
  const places = new Map()
  for (const { where, text } of descriptions)
    for (const key of new Set(keysOf(text))) {
      if (places.has(key)) places.get(key).push(where)
      else places.set(key, [where])
    }
  const limit = Math.max(tooMany.least, tooMany.share * descriptions.length)
  return [...places]
    .filter(([, holders]) => holders.length > limit)
    .map(([key, holders]) => `${holders.length} descriptions ${verb} "${key}": ${some(holders)}`)
}

function some(places) {
  return places.slice(0, 5).join(', ') + (places.length > 5 ? ' ...' : '')
}
