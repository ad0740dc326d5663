/** One entry as GET /entries/… answers it: what results say of it, its metadata, and what only its page shows. */
import type { EntryWithForms } from '../../search/browse/browse.js'
import type { Entry } from '../../data/catalogue/entry.js'
import type { DatasetName } from '../../data/catalogue/dataset.js'
import { shownTitle, type TitleLanguage } from '../../data/catalogue/shown-title.js'
import { vocabularyFile } from '../../data/catalogue/tag-vocabulary.js'
import { readTagWords } from '../../search/reader/lexicon.js'
import { createMembersOf } from './entry-members.js'

interface Shown {
  /** Whether texts that give its ending away are among its texts. */
  readonly spoilers?: boolean
  readonly titles?: TitleLanguage
}

export function createEntryBody() {
  const tagWords = readTagWords(vocabularyFile)
  const meanings = new Map(tagWords.map(({ tag, meaning }) => [tag, meaning]))
  const membersOf = createMembersOf(tagWords)
  const related = (dataset: DatasetName, entry: Entry, titles: TitleLanguage | undefined) => {
    const { type, year, relation, place } = membersOf(dataset, entry)
    return { id: entry.id, title: shownTitle(entry, titles), type, year, relation, place }
  }
  return (dataset: DatasetName, details: EntryWithForms, { spoilers, titles }: Shown = {}) => {
    const { entry, franchise, otherForms, popularityRank } = details
    const texts = spoilers ? { ...details.texts, ...details.spoilers } : details.texts
    const { id, score, metadata } = entry
    const { tags, ...members } = membersOf(dataset, entry, popularityRank)
    return {
      // A mapping may name metadata as it likes; the members below win.
      ...metadata,
      id,
      title: shownTitle(entry, titles),
      score,
      ...members,
      texts,
      tags: tags.map((tag) => ({ ...tag, meaning: meanings.get(tag.tag) ?? null })),
      franchise: franchise.map((other) => related(dataset, other, titles)),
      otherForms: otherForms.map(({ dataset: its, entry: other }) => ({
        dataset: its,
        ...related(its, other, titles),
      })),
    }
  }
}
