/** What nobody wants for children, though they need not say so: `something for my 6 year old daughter`. */
import type { Reading } from '../reader/interpretation.js'

/** Of the vocabulary of tags, data/works/tags.json. */
const tags = [
  'gore',
  'nudity',
  'sexual-content',
  'sexual-violence',
  'torture',
  'self-harm',
  'drugs',
  'fan-service',
  'sexy',
  'body-horror',
  'cannibalism',
  'scary',
  'disturbing',
]
const genres = ['Horror', 'Gore', 'Ecchi', 'Erotica', 'Hentai']

/** The readings, and what is excluded with them where works for children are requested. */
export function withoutUnfit(readings: readonly Reading[]): readonly Reading[] {
  const audience = readings.find(
    (reading) => reading.kind === 'audience' && reading.value === 'kids' && !reading.excluded,
  )
  if (audience === undefined) return readings
  // A query may request something scary for kids.
  const requested = readings.flatMap((reading) =>
    reading.kind === 'topic' && !reading.excluded ? [...reading.tags, ...reading.genres] : [],
  )
  const unfit = {
    genres: genres.filter((genre) => !requested.includes(genre)),
    tags: tags.filter((tag) => !requested.includes(tag)),
  }
  const { begin, end, label } = audience
  return [
    ...readings,
    { kind: 'topic', ...unfit, begin, end, label, confidence: 1, excluded: true },
  ]
}
