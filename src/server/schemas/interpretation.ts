/** What was read from a query, in the response of /search. */
import * as v from 'valibot'
import { kindOf, text } from './parts.js'

export const position = v.pipe(v.number(), v.integer(), v.minValue(0))
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))

const strings = v.array(v.string())
const number = v.number()
const bounds = { min: v.optional(number), max: v.optional(number) }

/** What every reading has. */
const shared = {
  begin: v.pipe(position, v.description('Where its words begin in the query, in UTF-16 units.')),
  end: v.pipe(position, v.description('Where they end.')),
  label: text('The value, for people.', 'harem'),
  excluded: v.pipe(v.boolean(), v.description('Whether the query excludes it.')),
  confidence: v.pipe(share, v.description('How likely the reading is.')),
}

/** One schema a kind: what is not listed here is not sent. */
export const readingKinds = {
  title: {},
  like: {},
  makers: { role: v.optional(v.picklist(['studio', 'author', 'creator', 'director'])) },
  words: { words: v.string() },
  type: { values: strings },
  years: { from: v.optional(number), to: v.optional(number) },
  length: {
    unit: v.picklist(['episodes', 'volumes', 'chapters', 'minutes', 'episodeMinutes']),
    ...bounds,
    ofFilms: v.optional(v.object(bounds)),
    isOfSeries: v.optional(v.boolean()),
    isWhole: v.optional(v.boolean()),
  },
  audience: { value: v.string() },
  source: { value: v.string() },
  status: { value: v.string() },
  studio: { value: v.string() },
  person: { value: v.string() },
  magazine: { value: v.string(), alternatives: v.optional(strings) },
  fame: { value: v.picklist(['popular', 'obscure', 'acclaimed']) },
  topic: { genres: strings, tags: strings, together: v.optional(v.boolean()) },
} as const

export const reading = v.pipe(
  v.variant('kind', [
    v.object({ kind: v.literal('title'), ...shared, ...readingKinds.title }),
    v.object({ kind: v.literal('like'), ...shared, ...readingKinds.like }),
    v.object({ kind: v.literal('makers'), ...shared, ...readingKinds.makers }),
    v.object({ kind: v.literal('words'), ...shared, ...readingKinds.words }),
    v.object({ kind: v.literal('type'), ...shared, ...readingKinds.type }),
    v.object({ kind: v.literal('years'), ...shared, ...readingKinds.years }),
    v.object({ kind: v.literal('length'), ...shared, ...readingKinds.length }),
    v.object({ kind: v.literal('audience'), ...shared, ...readingKinds.audience }),
    v.object({ kind: v.literal('source'), ...shared, ...readingKinds.source }),
    v.object({ kind: v.literal('status'), ...shared, ...readingKinds.status }),
    v.object({ kind: v.literal('studio'), ...shared, ...readingKinds.studio }),
    v.object({ kind: v.literal('person'), ...shared, ...readingKinds.person }),
    v.object({ kind: v.literal('magazine'), ...shared, ...readingKinds.magazine }),
    v.object({ kind: v.literal('fame'), ...shared, ...readingKinds.fame }),
    v.object({ kind: v.literal('topic'), ...shared, ...readingKinds.topic }),
  ]),
  v.title('Reading'),
)

/** The members that a reading of a kind has in a response. */
export const membersOfReading = (kind: keyof typeof readingKinds): readonly string[] => [
  'kind',
  ...Object.keys(shared),
  ...Object.keys(readingKinds[kind]),
]

export const interpretation = v.pipe(
  v.object({
    readings: v.pipe(v.array(reading), v.description('In the order of the query.')),
    text: text('What is left to compare with synopses.', 'school comedy'),
    explained: v.pipe(share, v.description("Share of the query's telling words that were read.")),
    unknownNames: v.optional(
      v.pipe(
        v.array(v.string()),
        v.description('Names in the query that no title, character or maker of the catalogue has.'),
      ),
    ),
  }),
  v.title('Interpretation'),
  v.description('What was read from the query; absent if nothing was.'),
)

const span = v.pipe(
  v.strictTuple(
    [position, position],
    ({ input }) => `expected [begin, end], received ${kindOf(input)}`,
  ),
  v.check(([begin, end]) => begin < end, 'expected begin to be less than end'),
)
const maxIgnored = 50

/** Parts of the query that a request takes as text alone. */
export const ignoredSpans = v.pipe(
  v.array(span, ({ input }) => `expected a list of [begin, end], received ${kindOf(input)}`),
  v.maxLength(maxIgnored, `expected at most ${maxIgnored} spans`),
  v.description(
    'Parts of the query, as [begin, end] in UTF-16 units, that are read as text alone. A part that is the ' +
      'whole query is not a title.',
  ),
)

/** Parts of a text that match. */
export const matchedSpans = v.pipe(
  v.array(v.strictTuple([position, position])),
  v.description(
    'Words of `synopsis` that match words of the query, as [begin, end] in UTF-16 units.',
  ),
)
