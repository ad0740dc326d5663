/** The reader on a few works, with the words and weights that the product has. */
import { bitsOfWord } from '#synoptic/search/reader/candidates.js'
import { createCharacterLookup } from '#synoptic/search/knowledge/character-lookup.js'
import { createFindTitles } from '#synoptic/search/knowledge/find-titles.js'
import { createNearTitles } from '#synoptic/search/knowledge/near-titles.js'
import {
  createInterpreter,
  type Interpret,
  type InterpreterOptions,
} from '#synoptic/search/reader/interpret.js'
import { readLexicon, readTagWords } from '#synoptic/search/reader/lexicon.js'
import { readWeights } from '#synoptic/search/reader/weights.js'
import { createSameWords } from '#synoptic/base/text/same-words.js'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'
import { namesOf } from '../catalogue/make-names.js'
import { factsOf, work } from '../facts/make-facts.js'

export const titles = [
  'Naruto',
  'Mushishi',
  'Cowboy Bebop',
  'Fullmetal Alchemist',
  'Steins;Gate',
  'Clannad',
  'Spice and Wolf',
  'Another',
]
const popularity = Float32Array.from(titles, (_, row) => 6 - row / 4)
const works = titles.map((title, row) =>
  work({
    type: 'tv',
    year: 2000 + row,
    genres: ['Action', 'Romance', 'Horror', 'Comedy', 'Sports'],
    studios: ['Bones', 'Madhouse'],
    characters: [`Hero${title.charAt(0)} Uzumaki`],
  }),
)
const facts = factsOf(works, popularity)
/** Prose in which everyday words are common. */
const prose =
  'another boy and a wolf like the best good anime i want to see with some romance but no horror or comedy'
const index = createTitleIndex(
  titles.map((text, row) => ({ row, text, kind: 'main' as const })),
  { texts: Array.from({ length: 1000 }, () => prose) },
)
const { characters, initials } = namesOf(works, { titles: index, popularity })
const everyday = new Set(prose.split(' '))
const rowsWith = (word: string) =>
  Uint32Array.from(everyday.has(word) ? titles.keys() : ([] as number[]))

export const makeReader = (): Interpret => createInterpreter(readerOptions())

export function readerOptions(): InterpreterOptions {
  const near = createNearTitles(index, popularity, facts, (word) => everyday.has(word))
  const same = createSameWords([])
  return {
    lexicon: readLexicon('data/query/en.json'),
    tags: readTagWords('data/works/tags.json'),
    names: facts.names,
    findTitles: createFindTitles({
      index,
      popularity,
      facts,
      match: near.match,
      reworded: (text) => index.reworded(text, same),
      characters: createCharacterLookup(characters, facts, popularity, rowsWith),
      initials,
    }),
    isWord: (word) => rowsWith(word).length > 1,
    bitsOf: (word) => bitsOfWord(rowsWith(word).length, titles.length),
    weights: readWeights('data/query/weights.json'),
  }
}
