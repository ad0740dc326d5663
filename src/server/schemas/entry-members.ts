/** The members of an entry in responses, in addition to its id and title. */
import * as v from 'valibot'
import { suggestion } from '../../base/util/suggest.js'
import { kindOf, text, textOrNull, texts } from './parts.js'

const countOrNull = (description: string) =>
  v.pipe(v.nullable(v.pipe(v.number(), v.integer())), v.description(description))

export const tag = v.pipe(
  v.object({
    tag: v.pipe(v.string(), v.description('Its key in the vocabulary.')),
    name: v.pipe(v.string(), v.description('Its name, for people.')),
    family: v.pipe(
      v.nullable(v.string()),
      v.description('theme, setting, cast, relationship, tone, form or look; null if unknown.'),
    ),
    weight: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(3),
      v.description('3: what the work is about, 2: clearly there, 1: a touch.'),
    ),
  }),
  v.title('Tag'),
)

const link = v.object({
  site: v.pipe(v.string(), v.description('The name of the site.')),
  url: v.pipe(v.string(), v.description('The page of the entry there.')),
})

const members = {
  type: textOrNull('Such as `tv`, `movie` or `light_novel`.'),
  year: countOrNull('The year in which it began.'),
  episodes: countOrNull('Episodes; null if unknown.'),
  minutes: countOrNull('Minutes of an episode, or of a film; null if unknown.'),
  volumes: countOrNull('Volumes; null if unknown.'),
  studios: texts('Studios that made it.'),
  authors: texts('Its authors.'),
  magazines: texts('Magazines or sites in which it ran, the one that people know it by first.'),
  source: textOrNull('What it was made from, such as `manga`.'),
  audience: textOrNull('Whom it was made for, such as `shounen`.'),
  genres: texts('Genres.'),
  tags: v.pipe(v.array(tag), v.description('Tags, the weightiest first.')),
  titleRomaji: text('The title of the catalogue, mostly romaji.'),
  titleEnglish: textOrNull('Its English title.'),
  titleJapanese: textOrNull('Its title in the language of its makers.'),
  alternativeTitles: texts('Other titles and abbreviations.'),
  franchise: textOrNull('A key that all works of its franchise share.'),
  relation: textOrNull('Its relation to the franchise, such as `main` or `sequel`.'),
  // The former name, for one minor version.
  place: v.pipe(textOrNull('The same as `relation`.'), v.metadata({ deprecated: true })),
  popularityRank: countOrNull('1 for the best known of the dataset; null if unknown.'),
  score10: v.pipe(
    v.nullable(v.number()),
    v.description('What the users of its site give it on average, 0 to 10.'),
  ),
  cover: textOrNull(
    'Address of a picture of it, as the catalogue names it; null if it names none.',
  ),
  links: v.pipe(v.array(link), v.description('Pages of sites whose ids of the entry are known.')),
}

/** All of them, for the page of one entry. */
export const entryMembers = members

/** To be spread into a result, which has those that the request names. */
export const optionalEntryMembers = Object.fromEntries(
  Object.entries(members).map(([name, schema]) => [name, v.exactOptional(schema)]),
) as { [Name in EntryMember]: v.ExactOptionalSchema<(typeof members)[Name], undefined> }

export type EntryMember = keyof typeof members
export type EntryMembers = v.InferOutput<v.ObjectSchema<typeof members, undefined>>

/** `column` is that of the text which a result shows. */
const fieldNames = [...(Object.keys(members) as EntryMember[]), 'column' as const]
export type Field = (typeof fieldNames)[number]

/** The first name that is none, if it is a list of names. */
function describeFields(input: unknown): string {
  if (!Array.isArray(input)) return kindOf(input)
  const strange = input.find((name) => !fieldNames.some((field) => field === name)) as unknown
  if (typeof strange !== 'string') return strange === undefined ? 'a name twice' : kindOf(strange)
  return `${JSON.stringify(strange.slice(0, 40))}${suggestion(strange, fieldNames)}`
}

/** The members that a request selects: names, or `all`. */
export const fields = v.pipe(
  v.union(
    [
      v.pipe(
        v.array(v.picklist(fieldNames)),
        v.maxLength(fieldNames.length, 'expected each name once'),
      ),
      v.literal('all'),
    ],
    ({ input }) =>
      `expected all, or a list of ${fieldNames.join(', ')}; received ${describeFields(input)}`,
  ),
  v.description('Further members of each result; `all` for all of them.'),
)
