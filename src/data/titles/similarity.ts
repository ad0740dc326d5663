/** How near a text is to a title that it may be: what the similarities of matches mean. */

/** From here on it may be the title at all. */
export const minTitleSimilarity = 0.8
/** It is a part of the title that names it, as `frieren` does; what is nearer is the title with a typo or two. */
export const partOfTitle = 0.86
/** From here on it is the title in another spelling. */
export const sameTitle = 0.985
