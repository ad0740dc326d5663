/** The members of an entry in responses, from the catalogue and the vocabulary of tags. */
import { linksOf } from '../../search/browse/links.js'
import type { Entry } from '../../data/catalogue/catalogue.js'
import type { DatasetName } from '../../data/catalogue/dataset.js'
import { factWord } from '../../data/catalogue/fact-lists.js'
import { vocabularyFile } from '../../data/catalogue/tag-vocabulary.js'
import { readTagWords, type TagWords } from '../../search/reader/lexicon.js'
import type { EntryMembers, Field } from '../schemas/entry-members.js'

/** @param popularityRank of the entry, where the caller knows it */
export type MembersOf = (
  dataset: DatasetName,
  entry: Entry,
  popularityRank?: number | null,
) => EntryMembers

export function createMembersOf(
  tags: readonly TagWords[] = readTagWords(vocabularyFile),
): MembersOf {
  const words = new Map(tags.map((tag) => [tag.tag, tag]))
  return (dataset, entry, popularityRank = null) => {
    const { type, year, genres, facts, metadata } = entry
    const { titleEnglish, titleJapanese } = metadata
    return {
      type,
      year,
      episodes: facts.episodes ?? null,
      minutes: facts.minutes ?? null,
      volumes: facts.volumes ?? null,
      source: wordOrNull(facts.source),
      audience: wordOrNull(facts.audience),
      franchise: textOf(facts.franchise),
      relation: wordOrNull(facts.relation),
      place: wordOrNull(facts.relation),
      studios: [...(facts.studios ?? [])],
      authors: [...(facts.authors ?? [])],
      magazines: [...(facts.magazines ?? [])],
      genres: [...genres],
      tags: Object.entries(facts.tags ?? {})
        .map(([tag, weight]) => tagMember(tag, weight, words.get(tag)))
        .sort((one, other) => other.weight - one.weight),
      titleRomaji: entry.title,
      titleEnglish: textOf(titleEnglish),
      titleJapanese: textOf(titleJapanese),
      alternativeTitles: [...(facts.otherTitles ?? [])],
      popularityRank,
      score10: entry.score,
      // anime-offline-database names it so.
      cover: textOf(metadata.cover) ?? textOf(metadata.imageUrl),
      links: linksOf(dataset, metadata),
    }
  }
}

/** A tag that the vocabulary lacks shows its key. */
const tagMember = (tag: string, weight: number, words: TagWords | undefined) => ({
  tag,
  name: words?.name ?? tag,
  family: words?.family ?? null,
  weight,
})

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

const wordOrNull = (word: string | null | undefined): string | null =>
  word ? factWord(word) : null

export function pickMembers(
  members: EntryMembers,
  fields: readonly Field[] | 'all',
): Partial<EntryMembers> {
  if (fields === 'all') return members
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => fields.some((field) => field === name)),
  )
}
