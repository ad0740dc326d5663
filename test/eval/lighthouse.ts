/** A small dataset whose ranks by words are plain to see; the loglines ask for the synopses. */
import { row } from '../catalogue/shelf.js'

export const columns = ['synopsis', 'logline']

const texts: readonly (readonly (string | null)[])[] = [
  // All words of the first synopsis: place 1.
  ['A lighthouse keeper and a whale.', 'The keeper of a lighthouse is friends with a whale.'],
  // One word of the own synopsis, three of the first: place 2.
  ['The whale.', 'One lighthouse, one keeper and one whale.'],
  // Words that no synopsis has: not found, unless by the logline itself.
  ['Dragons over the mountains.', 'Nothing of the kind happens in this place.'],
  ['Castles of glass, far away.', 'A castle of glass and nothing besides it. So be it. And more.'],
  [null, 'A text that stands in this column alone.'],
  ['This is one and the same text, a copy of it.', 'This is one and the same text: a copy of it!'],
  ['A short story about short stories.', 'DVD specials.'],
]

export const rows = texts.map((ofRow, i) => row(i + 1, { title: `Entry ${i + 1}`, texts: ofRow }))
