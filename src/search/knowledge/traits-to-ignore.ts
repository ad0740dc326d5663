/**
 * What `X but Y` takes from X: what is excluded, and of its audience, form and time what Y says otherwise,
 * and half of what people recommend with X, not knowing Y.
 */
import { isFact } from '../facts/requested-facts.js'
import type { Fact, Reading } from '../reader/interpretation.js'
import type { IgnoredTraits } from './likeness.js'

export function traitsToIgnore(readings: readonly Reading[]): IgnoredTraits {
  const facts = readings.filter(isFact)
  const excluded = facts.flatMap((fact) => (fact.kind === 'topic' && fact.excluded ? [fact] : []))
  const says = (...kinds: readonly Fact['kind'][]) => facts.some(({ kind }) => kinds.includes(kind))
  return {
    tags: new Set(excluded.flatMap(({ tags }) => tags)),
    genres: new Set(excluded.flatMap(({ genres }) => genres.map((genre) => genre.toLowerCase()))),
    audience: says('audience'),
    form: says('type', 'length'),
    era: says('years'),
    recommended: facts.length > 0,
  }
}
