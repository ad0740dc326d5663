/** Titles as the core collects them for an import, and the arrays that it makes of them: native/core/rows/title_table.h. */
import { loadAddon } from './addon.js'
import type { NativeSection } from './contract.js'

export interface TitleTable {
  readonly count: number
  /** Adds a title, those of a row in turn. */
  add(title: TableTitle): void
  /** The number of each word that some title has. */
  findWords(words: readonly string[]): Uint32Array
  /** How many titles have each word. */
  countWords(): Uint32Array
  /**
   * The arrays that open-titles.ts reads. The last call.
   * @param rarity of each word, in steps
   */
  build(rarity: Uint8Array): readonly NativeSection[]
}

interface TableTitle {
  readonly row: number
  /** Lower ones come first among titles of one length. */
  readonly kind: number
  /** Packed. */
  readonly season: number
  /** Of its base. */
  readonly key: number
  /** As given. */
  readonly text: string
  /** Without spaces; its length is that of the first. Of every text the first 255 units count. */
  readonly forms: readonly string[]
  /** Those that repeat count once. */
  readonly words: readonly string[]
}

const unknown = 0xffffffff

export function createTitleTable(): TitleTable {
  const native = new (loadAddon().TitleTable)()
  return {
    get count() {
      return native.size
    },
    add: ({ row, kind, season, key, text, forms, words }) =>
      native.add(row, kind, season, key, text, forms.join('\n'), words.join('\n')),
    findWords: (words) => native.findWords(words.join('\n')).filter((number) => number !== unknown),
    countWords: () => native.countWords(),
    build: (rarity) => native.build(rarity),
  }
}
