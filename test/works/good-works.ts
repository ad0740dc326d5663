/** Two works that do not exist, without fault: as records, facts, drafts and a batch. */

export const lamp = {
  mal: 1,
  rank: 1,
  titles: { romaji: 'Kami no Chouchin', english: 'Paper Lamp', native: '紙の提灯' },
  type: 'tv',
  year: 2001,
  genres: ['Drama'],
  adult: false,
  franchise: 'paper-lamp',
  place: 'main',
  tags: {
    'small-town': 3,
    snow: 3,
    siblings: 2,
    melancholic: 2,
    ghosts: 2,
    grief: 2,
    'slow-pace': 1,
    watercolor: 1,
  },
  synopsis:
    "Every winter a town by a frozen river loses one child to the ice, and nobody speaks of it. A boy who sells lanterns takes over his sister's stall when she does not come home. On his first night alone a stranger buys the smallest light and asks him to carry it across, no matter what he hears below.",
  descriptions: [
    'a boy crosses a frozen river with a small light and somebody knocks from under the ice',
    'brother and missing big sister, she sold lanterns at a market stall before he did, everything is drawn in pale washes',
    'Quiet and cold. For minutes you only hear snow, and when a bell rings at last it feels like bad news.',
  ],
  basis: 'memory',
} as const

export const ferry = {
  mal: 2,
  rank: 2,
  titles: { romaji: 'Watashibune' },
  type: 'movie',
  genres: ['Comedy'],
  adult: false,
  franchise: 'ferry',
  place: 'main',
  tags: {
    ocean: 3,
    'work-life': 3,
    funny: 3,
    'adult-women': 2,
    cat: 2,
    drinking: 2,
    'odd-pair': 2,
    'happy-ending': 1,
  },
  synopsis:
    'Two women who cannot stand each other inherit half a boat each. One wants to sell it, the other has already painted it pink. Because no buyer comes before autumn, they run it between two islands, with a cat as captain and a bar below deck, and with timetables that neither of them has ever managed to read.',
  descriptions: [
    'pink boat, the cat sits at the wheel in a captains hat and people salute',
    'what was it called, an accountant and a singer share a vessel and divide it by a chalk line down the middle?',
    'My mother laughed so hard at the engine room scene that we had to stop the tape, silly from start to finish.',
  ],
  basis: 'memory',
} as const

export const two = lamp.descriptions.slice(0, 2)
export const copied = [
  `${lamp.descriptions[0]} again`,
  ferry.descriptions[1],
  ferry.descriptions[2],
]
export const heavy = {
  ...lamp.tags,
  siblings: 3,
  melancholic: 3,
  ghosts: 3,
  grief: 3,
}
export const toneless = { ...lamp.tags, melancholic: undefined, loneliness: 2 }
export const german =
  'Jeden Winter verliert eine kleine Stadt am zugefrorenen Fluss ein Kind an das Eis, und niemand spricht davon. Ein Junge verkauft nun Laternen am Stand seiner Schwester, weil sie nicht heimkam. In seiner ersten Nacht kauft ein Fremder das kleinste Licht und bittet ihn, es zum anderen Ufer zu tragen, was er auch von unten rufen und klopfen hoere.'

/** The lamp's descriptions with another first one. */
export function first(description: string) {
  return { descriptions: [description, ...lamp.descriptions.slice(1)] }
}

/** Six works; one description of each begins and goes on as given. */
export function many(opening: string, phrase: string) {
  const ways = [
    ['somebody had painted red', 'full of apples'],
    ['my uncle would have sold', 'without a crew'],
    ['smelled of fish and rope', 'while they slept'],
    ['no engine could ever move', 'under two moons'],
    ['children used as a castle', 'towing a whale'],
    ['only the twins could steer', 'on its own'],
  ]
  return ways.map(([start, end], at) => ({
    ...ferry,
    mal: at + 1,
    rank: at + 1,
    franchise: `boat-${at}`,
    basis: 'text',
    descriptions: [`${opening} ${start ?? ''} ${phrase} ${end ?? ''}`],
  }))
}

type Work = typeof lamp | typeof ferry

function draftOf(work: Work, names: string): string {
  const tags = Object.entries(work.tags).map(([tag, weight]) => `${tag} ${weight}`)
  const [scene, relation, mood] = work.descriptions
  return `# ${work.mal}
T: ${tags.join(', ')}
B: ${work.basis}
${names}S: ${work.synopsis}
A: ${scene}
R: ${relation}
M: ${mood}
`
}

export const draftOfFerry = draftOf(ferry, '')
export const draft = `${draftOf(lamp, 'N: Kachou | paper-lamp | KC | kachou\n')}\n${draftOfFerry}`

export const batch = `# 1 | Kami no Chouchin / Paper Lamp / 紙の提灯 (Kachou; KC (2001)) | tv 2001 | franchise paper-lamp: main
tags: ghosts; winter
text: The townsfolk light a fire over the frozen river, and old Tanabe, who knows why, stays away.

# 2 | Watashibune | movie | franchise ferry: main
text: Two women own one boat.
`

const writersMembers = ['tags', 'synopsis', 'descriptions', 'basis']
const factsOf = (work: Work) =>
  Object.entries(work).filter(([member]) => !writersMembers.includes(member))

/** In other order than their ranks. */
export const facts = [ferry, lamp].map((work): object => ({
  ...Object.fromEntries(factsOf(work)),
  themes: ['School'],
}))
