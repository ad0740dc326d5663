/** The phrases that stand for what works are about and how they are told: genres and tags. */
import { phrase, type PhraseEntry } from './fact-phrase.js'
import type { Fact } from './interpretation.js'
import { otherLeads } from './lead-phrases.js'
import type { Lexicon, TagWords } from './lexicon.js'
import { keyOf } from './query-words.js'

/** Where words name a topic and a type, such as `film`, they mean the type. */
const topicConfidence = 0.88
/** A plural that is a subject of its own is surer than its singular. */
const pluralConfidence = 0.885

/** Genres and tags that the same words name are one topic. */
export function topics(
  { genres: genreWords, tags: tagWords, pairs, narrow: narrowWords, plurals }: Lexicon,
  tags: readonly TagWords[],
  genres: readonly string[],
): PhraseEntry[] {
  const members = new Map<string, { words: string; genres: Set<string>; tags: Set<string> }>()
  const topicOf = (words: string) => {
    const key = plurals.includes(words) ? words : keyOf(words)
    const topic = members.get(key) ?? { words, genres: new Set(), tags: new Set() }
    members.set(key, topic)
    return topic
  }
  for (const genre of genres) topicOf(genre).genres.add(genre)
  const spelling = new Map(genres.map((genre) => [genre.toLowerCase(), genre]))
  for (const [genre, synonyms] of Object.entries(genreWords)) {
    const name = spelling.get(genre.toLowerCase())
    if (name !== undefined) for (const words of synonyms) topicOf(words).genres.add(name)
  }
  for (const { tag, name, synonyms } of tags) {
    const parts = pairs.includes(tag) ? [] : tag.split('-and-').map(spaced)
    const own = [spaced(tag), ...parts]
    const all = [...own, name, ...synonyms, ...(tagWords[tag] ?? [])]
    for (const words of all.flatMap(withOtherLeads)) topicOf(words).tags.add(tag)
  }
  const tagsOf = (families: ReadonlySet<string>) =>
    new Set(tags.filter(({ family = '' }) => families.has(family)).map(({ tag }) => tag))
  const things = tagsOf(thingFamilies)
  const lackable = tagsOf(lackableFamilies)
  const narrow = new Set(narrowWords.map(keyOf))
  const factOf = (genres: ReadonlySet<string>, tags: ReadonlySet<string>): Fact => ({
    kind: 'topic',
    genres: [...genres],
    tags: [...tags],
    isSubject: genres.size > 0 || [...tags].some((tag) => things.has(tag)),
  })
  return [...members].map(([key, { words, genres, tags }]) => [
    words,
    {
      ...phrase(factOf(genres, tags), words, topicConfidence),
      ...(plurals.includes(key) && { spelt: key, confidence: pluralConfidence }),
      isThing: genres.size === 0 && [...tags].every((tag) => things.has(tag)),
      canLack: genres.size === 0 && [...tags].every((tag) => lackable.has(tag)),
      isNarrow: narrow.has(key),
    },
  ])
}

const togetherConfidence = 0.89

export const together = (lexicon: Lexicon): PhraseEntry[] =>
  Object.entries(lexicon.together).flatMap(([phraseWords, tags]) =>
    withOtherLeads(phraseWords).map((words): PhraseEntry => [
      words,
      phrase(
        { kind: 'topic', genres: [], tags, together: true, isSubject: true },
        words,
        togetherConfidence,
      ),
    ]),
  )

const withOtherLeads = (words: string): readonly string[] => [words, ...otherLeads(words)]

/** Families of tags that name people, places and subjects rather than how something is told. */
const thingFamilies = new Set(['cast', 'setting', 'theme', 'relationship'])
/** Of these, the tags of what somebody or some place has. */
const lackableFamilies = new Set(['cast', 'setting', 'theme'])

const spaced = (key: string): string => key.replaceAll('-', ' ')
