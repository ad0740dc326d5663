/** Folds titles one by one and keeps what an index is built from: numbers, and each distinct form and word once. */
import { maxUnits } from '../../base/text/edit-distance.js'
import { foldTitle } from './fold-title.js'
import { createGrowingList, type GrowingList } from '../../base/text/growing-list.js'
import { createGrowingTexts, type GrowingTexts } from '../../base/text/growing-texts.js'
import { createTextNumbers, type TextNumbers } from '../../base/text/text-numbers.js'
import { packSeason } from './split-season.js'
import { titleKinds, type Title } from './title.js'
import { textKey } from '../../base/text/text-key.js'

export interface ReadTitles {
  readonly texts: GrowingTexts
  readonly rows: GrowingList
  readonly kinds: GrowingList
  readonly seasons: GrowingList
  /** Of the base of each title. */
  readonly keys: readonly number[]
  /** Units of each title's first form. */
  readonly lengths: GrowingList
  readonly forms: TitlesOfTexts
  readonly words: TitlesOfTexts
}

/** Distinct texts in the order in which they first occur, and which text occurs in which title. */
export interface TitlesOfTexts {
  readonly numbers: TextNumbers
  /** Pairs of the number of a text and the position of a title, the titles in order. */
  readonly pairs: GrowingList
}

export interface TitleReader {
  /** Those of a row in turn, the main one first. */
  add(title: Title): void
  /** All so far. */
  readonly read: ReadTitles
}

/** Titles without a letter, a digit or a sign are left out, and so is a text that a row has twice in turn. */
export function createTitleReader(): TitleReader {
  const read = {
    texts: createGrowingTexts(),
    rows: createGrowingList(),
    kinds: createGrowingList(),
    seasons: createGrowingList(),
    keys: [] as number[],
    lengths: createGrowingList(),
  }
  const forms = createTitlesOfTexts()
  const words = createTitlesOfTexts()
  let lastRow = -1
  const textsOfRow = new Set<string>()
  const add = ({ row, text, kind }: Title) => {
    if (row !== lastRow) textsOfRow.clear()
    lastRow = row
    const folded = foldTitle(text)
    if (folded.joined === '' || textsOfRow.has(text)) return
    textsOfRow.add(text)
    const position = read.texts.push(text) - 1
    read.rows.push(row)
    read.kinds.push(titleKinds.indexOf(kind))
    read.seasons.push(packSeason(folded.season))
    read.keys.push(textKey(folded.base))
    read.lengths.push(Math.min(folded.joined.length, maxUnits))
    forms.add(folded.joined, position)
    forms.add(folded.joinedBySeason, position)
    for (const word of folded.words) words.add(word, position)
    for (const word of folded.romanized) words.add(word, position)
  }
  return { add, read: { ...read, forms, words } }
}

function createTitlesOfTexts() {
  const numbers = createTextNumbers()
  const pairs = createGrowingList()
  /** The last title of each text, plus one. */
  let lastTitles = new Uint32Array(1024)
  return {
    numbers,
    pairs,
    add(text: string, position: number) {
      const number = numbers.add(text, 0, Math.min(text.length, maxUnits))
      if (number >= lastTitles.length) lastTitles = doubled(lastTitles)
      if (lastTitles[number] === position + 1) return
      lastTitles[number] = position + 1
      pairs.push(number)
      pairs.push(position)
    },
  }
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
