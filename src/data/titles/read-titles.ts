/** Folds titles one by one; the core collects what an index is built from: numbers, and each distinct form and word once. */
import { createTitleTable } from '../../native/addon/title-table.js'
import type { Section } from '../../base/text/sections.js'
import { textKey } from '../../base/text/text-key.js'
import { foldTitle } from './fold-title.js'
import { packSeason } from './split-season.js'
import { titleKinds, type Title } from './title.js'
import { measureRarity } from './word-rarity.js'

export interface TitleReader {
  /** Those of a row in turn, the main one first. */
  add(title: Title): void
  /**
   * All arrays of an index: the titles themselves, by length; their forms and their words, each with its titles; how rare
   * each word is; and a key of each title's base, for exact matches. The last call.
   * @param texts a sample of prose in which common words are common
   */
  build(texts: Iterable<string>): readonly Section[]
}

/** Titles without a letter, a digit or a sign are left out, and so is a text that a row has twice in turn. */
export function createTitleReader(): TitleReader {
  const table = createTitleTable()
  let lastRow = -1
  const textsOfRow = new Set<string>()
  return {
    add({ row, text, kind }) {
      if (row !== lastRow) textsOfRow.clear()
      lastRow = row
      const folded = foldTitle(text)
      if (folded.joined === '' || textsOfRow.has(text)) return
      textsOfRow.add(text)
      table.add({
        row,
        kind: titleKinds.indexOf(kind),
        season: packSeason(folded.season),
        key: textKey(folded.base),
        text,
        forms: [folded.joined, folded.joinedBySeason],
        words: [...folded.words, ...folded.romanized],
      })
    },
    build: (texts) => table.build(measureRarity(table, texts)),
  }
}
