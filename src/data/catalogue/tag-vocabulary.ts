/** The closed vocabulary of tags, data/works/tags.json, and how the words of people and sites name its keys. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { suggestion } from '../../base/util/suggest.js'

const words = v.pipe(v.string(), v.trim(), v.nonEmpty())
const fileSchema = v.array(v.object({ tag: words, name: words, synonyms: v.array(words) }))

type Tag = v.InferOutput<typeof fileSchema>[number]

export interface TagVocabulary {
  readonly tags: readonly Tag[]
  /** The key of a tag by key, name or synonym, in any case and punctuation; undefined where none fits. */
  keyOf(words: string): string | undefined
  /** `; did you mean …?` for words that name no tag, or nothing. */
  suggestion(words: string): string
}

export const vocabularyFile = new URL('../../../data/works/tags.json', import.meta.url)

let shipped: TagVocabulary | undefined

/** The shipped vocabulary, read at its first use. */
export function tagVocabulary(): TagVocabulary {
  const tags = () => v.parse(fileSchema, JSON.parse(readFileSync(vocabularyFile, 'utf8')))
  return (shipped ??= createTagVocabulary(tags()))
}

function createTagVocabulary(tags: readonly Tag[]): TagVocabulary {
  const keys = new Map<string, string>()
  // A key is never taken for the name or synonym of another tag.
  const add = (words: string, tag: string) => {
    if (!keys.has(fold(words))) keys.set(fold(words), tag)
  }
  for (const { tag } of tags) add(tag, tag)
  for (const { tag, name } of tags) add(name, tag)
  for (const { tag, synonyms } of tags) for (const synonym of synonyms) add(synonym, tag)
  return {
    tags,
    keyOf: (words) => keys.get(fold(words)),
    suggestion: (words) =>
      suggestion(
        fold(words),
        tags.map(({ tag }) => tag),
      ),
  }
}

const fold = (words: string): string =>
  words
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
