/** What `X but Y` takes from X: what Y says otherwise, and what is excluded. */
import type { Fact, Reading } from '../query/interpretation.js'
import type { Replaced } from './likeness.js'

/** Tags and genres that say how a work feels: who wishes another feeling does not want those of the named work. */
export interface ToneWords {
  readonly tags: ReadonlySet<string>
  /** In lower case. */
  readonly genres: ReadonlySet<string>
}

type FactReading = Extract<Reading, Fact>

export function replacedBy(readings: readonly Reading[], tones: ToneWords): Replaced {
  const facts = readings.filter(
    (reading): reading is FactReading =>
      !['title', 'like', 'makers', 'words'].includes(reading.kind),
  )
  const tags = new Set<string>()
  const genres = new Set<string>()
  const topics = facts.flatMap((fact) => (fact.kind === 'topic' ? [fact] : []))
  const isTone = (topic: (typeof topics)[number]) =>
    topic.tags.some((tag) => tones.tags.has(tag)) ||
    topic.genres.some((genre) => tones.genres.has(genre.toLowerCase()))
  for (const topic of topics) {
    if (topic.excluded) {
      for (const tag of topic.tags) tags.add(tag)
      for (const genre of topic.genres) genres.add(genre.toLowerCase())
    } else if (isTone(topic)) {
      for (const tag of tones.tags) tags.add(tag)
      for (const genre of tones.genres) genres.add(genre)
    }
  }
  const says = (...kinds: readonly Fact['kind'][]) => facts.some(({ kind }) => kinds.includes(kind))
  return {
    tags,
    genres,
    audience: says('audience'),
    form: says('type', 'length'),
    era: says('years'),
  }
}
