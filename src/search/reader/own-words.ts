/** Words that an operator adds to the lexicon: the file of --vocabulary. */
import * as v from 'valibot'
import type { Synonyms } from '../../base/text/same-words.js'
import { named, phrases, type Lexicon } from './lexicon.js'

const lists = [
  'types',
  'audiences',
  'sources',
  'statuses',
  'genres',
  'tags',
  'studioAliases',
  'magazines',
] as const
type ListName = (typeof lists)[number]

const words = v.optional(named)

export const ownWordsFile = v.strictObject({
  ...(Object.fromEntries(lists.map((name) => [name, words])) as Record<ListName, typeof words>),
  /** Phrases that mean the same in titles. */
  alike: v.optional(v.array(phrases)),
  /** Single words of nearly the same meaning. */
  synonyms: v.optional(named),
})

export type OwnWords = v.InferOutput<typeof ownWordsFile>

export function withOwnWords(lexicon: Lexicon, own: OwnWords): Lexicon {
  const joined = lists.map((name) => [name, joinNamed(lexicon[name], own[name])] as const)
  const alike = [...lexicon.alike, ...(own.alike ?? [])]
  return { ...lexicon, ...(Object.fromEntries(joined) as Pick<Lexicon, ListName>), alike }
}

export const withOwnSynonyms = (synonyms: Synonyms, { synonyms: own }: OwnWords): Synonyms =>
  new Map(Object.entries(joinNamed(Object.fromEntries(synonyms), own)))

function joinNamed(
  known: Readonly<Record<string, readonly string[]>>,
  own: Readonly<Record<string, readonly string[]>> = {},
): Record<string, string[]> {
  const all = new Map(Object.entries(known).map(([name, one]) => [name, [...one]]))
  for (const [name, more] of Object.entries(own)) all.set(name, [...(all.get(name) ?? []), ...more])
  return Object.fromEntries(all)
}
