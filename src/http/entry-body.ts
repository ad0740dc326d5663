/** One entry as GET /entries/… answers it: what results say of it, its metadata, and what only its page shows. */
import type { EntryDetails } from '../browse/entry-details.js'
import type { DatasetName } from '../catalogue/dataset.js'
import { vocabularyFile } from '../catalogue/tag-vocabulary.js'
import { readTagWords } from '../query/lexicon.js'
import { createMembersOf } from './entry-members.js'

export function createEntryBody() {
  const tagWords = readTagWords(vocabularyFile)
  const meanings = new Map(tagWords.map(({ tag, meaning }) => [tag, meaning]))
  const membersOf = createMembersOf(tagWords)
  return (dataset: DatasetName, details: EntryDetails, showsSpoilers = false) => {
    const { entry, franchise } = details
    const texts = showsSpoilers ? { ...details.texts, ...details.spoilers } : details.texts
    const { id, title, score, metadata } = entry
    const { tags, ...members } = membersOf(dataset, entry)
    return {
      // A mapping may name metadata as it likes; the members below win.
      ...metadata,
      id,
      title,
      score,
      ...members,
      texts,
      tags: tags.map((tag) => ({ ...tag, meaning: meanings.get(tag.tag) ?? null })),
      franchise: franchise.map((other) => {
        const { type, year, place } = membersOf(dataset, other)
        return { id: other.id, title: other.title, type, year, place }
      }),
    }
  }
}
