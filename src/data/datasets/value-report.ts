/** What became of the values of a source: how lists were split, and which values did not fit their fields. */
import { readRating, type ReadKind } from './read-value.js'
import { isKnownType } from './types.js'

/** A value that could not be read, and its position. */
export interface Example {
  readonly value: string
  readonly line: number
}

export interface UnusableValues {
  readonly field: string
  readonly kind: ReadKind
  /** Values that are there, read or not. */
  readonly count: number
  readonly unusable: number
  /** The first three. */
  readonly examples: readonly Example[]
}

export interface ListValues {
  readonly field: string
  /** Rows with at least one value. */
  readonly rows: number
  readonly distinct: number
  /** The three most frequent, and how often they occur. */
  readonly mostFrequent: readonly (readonly [value: string, count: number])[]
}

/** Called with each raw value and what it was read as. */
export type Watch = (raw: unknown, value: unknown) => void

const maxExamples = 3
const maxExampleLength = 40
/** Enough to see a wrong reading; a field of prose would fill the memory. */
const maxDistinct = 20_000

/** Words that mean "not known", in addition to those that are read as missing. */
const missing = /^(?:|nan|none|null|n\/?a|unknown|not available|undefined|<na>|tba|tbd|[-–—?.]+)$/i

export class ValueReport {
  /** The line that is read now. */
  line = 0
  readonly #unusable: (UnusableValues & {
    count: number
    unusable: number
    examples: Example[]
  })[] = []
  readonly #unknownTypes = new Map<string, number>()
  readonly #lists: { field: string; rows: number; counts: Map<string, number> }[] = []

  /** Returns the watch of a field. */
  watch(field: string, kind: ReadKind): Watch | undefined {
    if (kind === 'list') return this.#watchList(field)
    return isChecked(kind) ? this.#watchKind(field, kind) : undefined
  }

  /** Fields with values that could not be read. */
  unusable(): readonly UnusableValues[] {
    return this.#unusable.filter(({ unusable }) => unusable > 0)
  }

  lists(): readonly ListValues[] {
    return this.#lists
      .filter(({ rows }) => rows > 0)
      .map(({ field, rows, counts }) => {
        const mostFrequent = [...counts].sort((one, other) => other[1] - one[1]).slice(0, 3)
        return { field, rows, distinct: counts.size, mostFrequent }
      })
  }

  /** Types that the product has no name for, as they were read, and how often each occurs, most frequent first. */
  unknownTypes(): readonly (readonly [type: string, count: number])[] {
    return [...this.#unknownTypes].sort((one, other) => other[1] - one[1])
  }

  #watchKind(field: string, kind: ReadKind): Watch {
    const entry = { field, kind, count: 0, unusable: 0, examples: [] as Example[] }
    this.#unusable.push(entry)
    return (raw, value) => {
      if (isMissing(raw, kind)) return
      entry.count += 1
      if (field === 'type' && typeof value === 'string' && !isKnownType(value))
        this.#countType(value)
      if (value !== null) return
      entry.unusable += 1
      if (entry.examples.length < maxExamples)
        entry.examples.push({ value: shown(raw), line: this.line })
    }
  }

  #countType(type: string): void {
    const count = this.#unknownTypes.get(type)
    if (count !== undefined || this.#unknownTypes.size < maxDistinct)
      this.#unknownTypes.set(type, (count ?? 0) + 1)
  }

  #watchList(field: string): Watch {
    const entry = { field, rows: 0, counts: new Map<string, number>() }
    this.#lists.push(entry)
    return (_, value) => {
      if (!Array.isArray(value) || value.length === 0) return
      entry.rows += 1
      for (const member of value as unknown[]) {
        const text = String(member)
        const count = entry.counts.get(text)
        if (count !== undefined || entry.counts.size < maxDistinct)
          entry.counts.set(text, (count ?? 0) + 1)
      }
    }
  }
}

/** Any text can be read as a text. */
const isChecked = (kind: ReadKind): boolean =>
  !['unchanged', 'title', 'synopsis', 'text'].includes(kind)

function isMissing(raw: unknown, kind: ReadKind): boolean {
  if (raw === null || raw === undefined) return true
  if (Number.isFinite(raw) && kind !== 'score') return false
  if (Array.isArray(raw)) return raw.length === 0
  if (typeof raw === 'object') return false
  const text = typeof raw === 'string' ? raw.trim() : JSON.stringify(raw)
  // Sources write 0 for a work without a rating.
  return missing.test(text) || (kind === 'score' && readRating(text) === 0)
}

function shown(raw: unknown): string {
  const text = typeof raw === 'string' ? raw.trim() : JSON.stringify(raw)
  const characters = Array.from(text)
  return characters.length <= maxExampleLength
    ? text
    : `${characters.slice(0, maxExampleLength).join('')}…`
}
