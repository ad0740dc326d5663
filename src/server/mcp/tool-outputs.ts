/** What the tools return. */
import * as v from 'valibot'
import { entryResponse } from '../schemas/browse.js'
import { entryMembers } from '../schemas/entry-members.js'
import { rankedEntry } from '../schemas/search.js'
import { text, texts } from '../schemas/parts.js'

/** Members of results, in addition to their own. */
export const shownMembers = [
  'type',
  'year',
  'episodes',
  'volumes',
  'genres',
  'titleEnglish',
  'links',
] as const

const { id, title, score, matched } = rankedEntry.entries
const { type, year, episodes, volumes, genres, titleEnglish, links } = entryMembers
const facts = { type, year, episodes, volumes, genres, titleEnglish, links }
const synopsis = text('Its synopsis, cut after 500 characters.')
const warnings = v.exactOptional(texts('What differs from the request; absent if nothing does.'))

const found = { id, title, score, ...facts, synopsis, matched }
const results = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(v.array(v.object(entries)), v.description('The best first.'))

export const findOutput = v.object({ results: results(found), warnings })

const namedWork = v.object({ id, title, type, year })
/** Works of the same title as the one that was taken. */
const sameTitle = v.exactOptional(
  v.pipe(v.array(namedWork), v.description('Other works that the title may mean.')),
)

export const similarOutput = v.object({
  results: results({
    id,
    title,
    similarity: v.pipe(v.nullable(v.number()), v.description('Of the texts alone, -1 to 1.')),
    ...facts,
    synopsis,
  }),
  sameTitle,
})

export const recommendOutput = v.object({
  results: results({
    ...found,
    because: v.pipe(
      v.array(v.object({ id, title })),
      v.description('Liked works that it is most like.'),
    ),
  }),
  warnings,
})

export const entryOutput = v.looseObject({
  ...entryResponse.entries,
  dataset: text('The dataset.', 'anime'),
  sameTitle,
})
