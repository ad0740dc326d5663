/** The members of a work, in the order of data/works. */
const members = [
  'mal',
  'anilist',
  'rank',
  'titles',
  'type',
  'year',
  'episodes',
  'minutes',
  'volumes',
  'chapters',
  'status',
  'studios',
  'authors',
  'magazines',
  'directors',
  'characters',
  'recommended',
  'source',
  'audience',
  'genres',
  'adult',
  'franchise',
  'place',
  'tags',
  'synopsis',
  'descriptions',
  'scenes',
  'spoilers',
  'looksLike',
  'basis',
]

/** The work with its members in that order; what is unknown is absent. */
export const inOrder = (work) =>
  Object.fromEntries(
    members.filter((member) => work[member] != null).map((member) => [member, work[member]]),
  )
