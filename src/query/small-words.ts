/** Small words that several steps tell apart, as they are compared: without apostrophes. */

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

export const articles = setOf('a an the')
/** Before what somebody else has. */
export const theirs = setOf('his her their')
/** Before what is somebody's or something of its own. */
export const determiners: ReadonlySet<string> = new Set([...articles, ...theirs, 'my'])
/** Who asks, with what they are or have. */
export const speakers = setOf('i im ive we weve')
/** Before what those have who ask. */
export const ours = setOf('my our')
/** What denies what is said of a work; `not` and the like are negations of the lexicon. */
export const denials = setOf(
  'didnt doesnt wasnt isnt arent werent cant cannot couldnt havent hasnt hadnt wouldnt',
)
