/** GET /titles/…, /entries/… and /facets/…: queries and responses. */
import * as v from 'valibot'
import { workDatasets } from '../../data/catalogue/dataset.js'
import { titleLanguageEntry } from './title-language.js'
import { franchiseEntry } from './search.js'
import { asBoolean } from '../../base/util/as-boolean.js'
import { entryMembers, tag } from './entry-members.js'
import { asNumber, integer, closedObject, text, textOrNull, trimmedText, unlike } from './parts.js'

const maxPrefixLength = 200
const maxTitles = 50

const typeOrNull = textOrNull('Its type, such as `tv`; null if that is not known.')
const yearOrNull = v.pipe(
  v.nullable(v.pipe(v.number(), v.integer())),
  v.description('The year in which it began; null if that is not known.'),
)
const id = v.pipe(v.number(), v.integer(), v.description('The entry; stable.'))

export const titlesQuery = closedObject({
  prefix: v.pipe(
    trimmedText(maxPrefixLength),
    v.description(`What is typed so far, 1 to ${maxPrefixLength} characters after trimming.`),
    v.examples(['deat']),
  ),
  limit: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(asNumber),
      integer(1, maxTitles, unlike(`an integer from 1 to ${maxTitles}`)),
      v.description('The most entries wanted.'),
    ),
    10,
  ),
  adult: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(asBoolean),
      v.boolean(unlike('true, false, 1 or 0')),
      v.description('Whether works for adults are among them.'),
    ),
    false,
  ),
  ...titleLanguageEntry,
})

export const titlesResponse = v.pipe(
  v.object({
    titles: v.pipe(
      v.array(
        v.pipe(
          v.object({
            id,
            title: text('Its main title.', 'Death Note'),
            matched: text('The title of it that was found.', 'デスノート'),
            kind: v.pipe(
              v.picklist(['main', 'english', 'native', 'other']),
              v.description('What kind of title that is.'),
            ),
            type: typeOrNull,
            year: yearOrNull,
          }),
          v.title('CompletedTitle'),
        ),
      ),
      v.description(
        'One title of each entry: those that begin so, those with a word that does, those with a typo.',
      ),
    ),
  }),
  v.title('Titles'),
)

export const entryPath = {
  id: v.pipe(
    v.number(),
    v.integer(),
    v.description('The id of an entry of the dataset.'),
    v.examples([1]),
  ),
}

export const entryQuery = closedObject({
  spoilers: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(asBoolean),
      v.boolean(unlike('true, false, 1 or 0')),
      v.description('Whether texts that give its ending away are among its texts.'),
    ),
    false,
  ),
  ...titleLanguageEntry,
})

const tagWithMeaning = v.pipe(
  v.object({ ...tag.entries, meaning: textOrNull('What it says of a work.') }),
  v.title('TagWithMeaning'),
)

export const entryResponse = v.pipe(
  v.looseObject({
    id,
    title: text('Its title.', 'Death Note'),
    score: v.pipe(
      v.nullable(v.number()),
      v.description('The average rating of its site, 0 to 10; null if that is not known.'),
    ),
    ...entryMembers,
    texts: v.pipe(v.record(v.string(), v.string()), v.description('Its texts by column.')),
    tags: v.pipe(v.array(tagWithMeaning), v.description('Tags, the weightiest first.')),
    franchise: v.pipe(
      v.array(franchiseEntry),
      v.description('The works of its franchise by year, itself among them.'),
    ),
    otherForms: v.pipe(
      v.array(
        v.pipe(
          v.object({ dataset: v.picklist(workDatasets), ...franchiseEntry.entries }),
          v.title('OtherForm'),
        ),
      ),
      v.description(
        'Works of its franchise in the other dataset: what it was made from, or what was made from it.',
      ),
    ),
  }),
  v.title('Entry'),
)
