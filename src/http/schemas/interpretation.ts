/** What was read from a query, in the response of /search. */
import * as v from 'valibot'
import { kindOf, text } from './parts.js'

export const position = v.pipe(v.number(), v.integer(), v.minValue(0))
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))

export const reading = v.pipe(
  v.looseObject({
    begin: v.pipe(position, v.description('Where its words begin in the query, in UTF-16 units.')),
    end: v.pipe(position, v.description('Where they end.')),
    kind: v.pipe(
      v.string(),
      v.description(
        'What the words were read as: title, like, makers, type, years, length, audience, source, ' +
          'status, studio, person, magazine, fame, topic, or words that are only excluded.',
      ),
    ),
    label: text('The value, for people.', 'harem'),
    excluded: v.pipe(v.boolean(), v.description('Whether the query excludes it.')),
    confidence: v.pipe(share, v.description('How likely the reading is.')),
  }),
  v.title('Reading'),
)

export const interpretation = v.pipe(
  v.object({
    readings: v.pipe(v.array(reading), v.description('In the order of the query.')),
    text: text('What is left to compare with synopses.', 'school comedy'),
    explained: v.pipe(share, v.description("Share of the query's telling words that were read.")),
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
      'whole query is no title.',
  ),
)

/** Parts of a text that match. */
export const matchedSpans = v.pipe(
  v.array(v.strictTuple([position, position])),
  v.description(
    'Words of `synopsis` that match words of the query, as [begin, end] in UTF-16 units.',
  ),
)
