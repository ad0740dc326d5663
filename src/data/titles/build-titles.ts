/**
 * All arrays of an index of titles: the titles themselves, by length; their forms and their words, each
 * with its titles; how rare each word is; and a key of each title's base, for exact matches.
 */
import { buildTextSet } from '../../base/text/build-text-set.js'
import type { GrowingTexts } from '../../base/text/growing-texts.js'
import { accumulate, sortByKeys, sortStably } from '../../base/text/stable-sort.js'
import type { GrowingList } from '../../base/text/growing-list.js'
import type { ReadTitles, TitlesOfTexts } from './read-titles.js'
import type { Section } from '../../base/text/sections.js'
import { titleKinds } from './title.js'
import { maxUnits } from '../../base/text/edit-distance.js'
import { measureRarity } from './word-rarity.js'

/** @param texts a sample of prose in which common words are common */
export function buildTitles(read: ReadTitles, texts: Iterable<string>): readonly Section[] {
  const order = orderTitles(read)
  const titleOf = new Uint32Array(order.length)
  order.forEach((position, title) => (titleOf[position] = title))
  const inOrder = (values: Uint32Array) => order.map((position) => values[position] ?? 0)
  const rarity = measureRarity(read.words, order.length, texts)
  const words = buildTextSet('words', read.words.numbers)
  const rarityInOrder = new Uint8Array(rarity.length)
  words.numbers.forEach((number, position) => (rarityInOrder[number] = rarity[position] ?? 0))
  const forms = buildTextSet('forms', read.forms.numbers)
  return [
    { name: 'rows', array: inOrder(read.rows.view()) },
    { name: 'kinds', array: Uint8Array.from(inOrder(read.kinds.view())) },
    { name: 'seasons', array: inOrder(read.seasons.view()) },
    ...packOriginals(read.texts, order),
    ...sortKeys(read.keys, order),
    ...forms.sections,
    ...listTitles('forms', read.forms, forms.numbers, titleOf),
    ...words.sections,
    ...listTitles('words', read.words, words.numbers, titleOf),
    { name: 'words.rarity', array: rarityInOrder },
  ]
}

/** Shorter titles first, so that a list that is cut short keeps those that a query covers most; then by kind. */
function orderTitles({ lengths, kinds }: ReadTitles): Uint32Array {
  const [lengthOf, kindOf] = [lengths.view(), kinds.view()]
  const ranks = lengthOf.map(
    (length, position) => length * titleKinds.length + (kindOf[position] ?? 0),
  )
  const positions = Uint32Array.from(ranks, (_, position) => position)
  return sortStably(
    positions,
    (maxUnits + 1) * titleKinds.length,
    (position) => ranks[position] ?? 0,
  )
}

/** The texts as given, to be shown and to be folded again. */
function packOriginals(texts: GrowingTexts, order: Uint32Array): Section[] {
  const { bytes, ends } = texts.view()
  const starts = new Uint32Array(order.length + 1)
  order.forEach((position, title) => {
    starts[title + 1] = (ends[position] ?? 0) - (ends[position - 1] ?? 0)
  })
  accumulate(starts)
  const array = new Uint8Array(starts.at(-1) ?? 0)
  order.forEach((position, title) => {
    array.set(bytes.subarray(ends[position - 1] ?? 0, ends[position]), starts[title] ?? 0)
  })
  return [
    { name: 'originals', array },
    { name: 'originalStarts', array: starts },
  ]
}

/** @param order positions of the titles */
function sortKeys(keys: readonly number[], order: Uint32Array): Section[] {
  const inOrder = Float64Array.from(order, (position) => keys[position] ?? 0)
  const titles = sortByKeys(
    Uint32Array.from(order, (_, title) => title),
    inOrder,
  )
  return [
    { name: 'keys', array: Float64Array.from(titles, (title) => inOrder[title] ?? 0) },
    { name: 'keyTitles', array: titles },
  ]
}

/** The titles of each text, in their order. */
function listTitles(
  name: string,
  { numbers, pairs }: TitlesOfTexts,
  numberOf: Uint32Array,
  titleOf: Uint32Array,
): Section[] {
  const starts = new Uint32Array(numbers.count + 1)
  eachPair(pairs, (text) => {
    const number = numberOf[text] ?? 0
    starts[number + 1] = (starts[number + 1] ?? 0) + 1
  })
  accumulate(starts)
  const next = starts.slice()
  const titles = new Uint32Array(pairs.length / 2)
  eachPair(pairs, (text, position) => {
    const number = numberOf[text] ?? 0
    titles[next[number] ?? 0] = titleOf[position] ?? 0
    next[number] = (next[number] ?? 0) + 1
  })
  for (let number = 0; number < numbers.count; number += 1) {
    titles.subarray(starts[number], starts[number + 1]).sort()
  }
  return [
    { name: `${name}.titleStarts`, array: starts },
    { name: `${name}.titles`, array: titles },
  ]
}

function eachPair(pairs: GrowingList, take: (text: number, position: number) => void): void {
  const flat = pairs.view()
  for (let at = 0; at < flat.length; at += 2) take(flat[at] ?? 0, flat[at + 1] ?? 0)
}
