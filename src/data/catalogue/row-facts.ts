/** The facts of all works of a dataset, as sections of its index of rows: they are mapped and never copied. */
import type { RowIndex } from '../../native/addon/row-index.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
import { byBytes } from '../../base/text/byte-order.js'
import type { RowIndexSection } from '../rows/build-row-index.js'
import {
  type FactKind,
  factKinds,
  type FactList,
  type FactLists,
  weightedKinds,
} from './fact-lists.js'
import type { Series } from './franchises.js'
import { neighboursOf } from './recommended.js'
import { type TraitKind, traitKinds, traitsOf } from './traits.js'

/** The lists of a kind, whose numbers follow each other, in the order in which works have them first. */
export interface FactValues {
  /** The number of the first list. */
  readonly first: number
  /** As written. */
  readonly values: readonly string[]
}

export interface RowFacts {
  readonly rowCount: number
  /** 0 where unknown. */
  readonly years: Uint16Array
  readonly episodes: Uint16Array
  readonly volumes: Uint16Array
  readonly chapters: Uint16Array
  /** Of an episode, or of a film. */
  readonly minutes: Uint16Array
  /** 0 to 10, NaN where unknown. */
  readonly scores: Float32Array
  /** How well known a work is, -ln(rank / works); NaN where unknown. */
  readonly popularity: Float32Array
  /** Number of each row's franchise, -1 where unknown. */
  readonly franchises: Int32Array
  /** 1 for rows that stand for their franchise: its main work, or a work without one. */
  readonly isMain: Uint8Array
  readonly valuesOf: (kind: FactKind) => FactValues
  /** The number of a value's list, in any case; undefined where no row has it. */
  readonly listOf: (kind: FactKind, value: string) => number | undefined
  /** The rows of a list, ascending. */
  readonly rowsOf: (list: number) => Uint32Array
  readonly listsOf: (kind: FactKind) => Iterable<FactList>
  /** Of a list of tags or of what is recommended, 1 to 3 a row. */
  readonly weightsOf: (list: number) => Uint8Array
  /** Numbers of lists are below this. */
  readonly listCount: number
  readonly traits: RowTraits
  /** What is recommended with each franchise, by its number: see recommended.ts. */
  readonly recommended: {
    readonly ends: Uint32Array
    readonly franchises: Uint32Array
    readonly degrees: Float64Array
    readonly back: Float64Array
    /** Of the degrees of each franchise. */
    readonly norms: Float64Array
  }
}

/** Traits by number, see traits.ts. */
export interface RowTraits {
  readonly kindOf: (trait: number) => TraitKind
  readonly nameOf: (trait: number) => string
  readonly rowsOf: (trait: number) => Uint32Array
  /** One a row of `rowsOf`. */
  readonly weightsOf: (trait: number) => Float32Array
  /** Of a row, ascending. */
  readonly traitsOf: (row: number) => Uint32Array
  /** One a row: the length of its vector of weights. */
  readonly norms: Float64Array
}

/** Longer series than this are as long. */
const maxCount = 65_535

/** In the order of their kinds, those of a kind in that of the bytes of their values. */
export const inOrder = (lists: readonly FactList[]): readonly FactList[] =>
  factKinds.flatMap((wanted) =>
    lists
      .filter(({ kind }) => kind === wanted)
      .sort((one, other) => byBytes(one.value, other.value)),
  )

/** @param facts with their lists in order */
export function* factSections(
  { rowCount, lists, measures, adult }: FactLists,
  { franchises, isMain }: Series,
  popularity: Float32Array,
): Generator<RowIndexSection> {
  const counts = (values: Float32Array) =>
    Uint16Array.from(values, (value) => (value > 0 ? Math.min(value, maxCount) : 0))
  yield section('year', counts(measures.year))
  yield section('episodes', counts(measures.episodes))
  yield section('volumes', counts(measures.volumes))
  yield section('chapters', counts(measures.chapters))
  yield section('minutes', counts(measures.minutes))
  yield section('score', measures.score)
  yield section('popularity', popularity)
  yield section('franchise', franchises)
  yield section('main', isMain)
  yield section('adult', adult)
  const counted = factKinds.map((wanted) => lists.filter(({ kind }) => kind === wanted).length)
  yield section('fact.kinds', endsOf(counted))
  yield* namesOf(
    'fact',
    lists.map(({ value }) => value),
  )
  yield section('fact.ends', endsOf(lists.map(({ rows }) => rows.length)))
  yield section('fact.rows', joined(lists.map(({ rows }) => rows)))
  // Of kinds without weights nobody reads them.
  const weights = lists.map(({ rows, weights }) => weights ?? new Uint8Array(rows.length))
  yield section('fact.weights', Buffer.concat(weights))
  yield* traitSections({ rowCount, lists })
  yield* recommendedSections(lists, franchises)
}

function* traitSections(facts: Pick<FactLists, 'lists' | 'rowCount'>): Generator<RowIndexSection> {
  const traits = [...traitsOf(facts)]
  const norms = new Float64Array(facts.rowCount)
  /** How many of the first rows together. */
  const ends = new Uint32Array(facts.rowCount)
  for (const { rows, weights } of traits) {
    for (let position = 0; position < rows.length; position += 1) {
      const row = rows[position] ?? 0
      norms[row] = (norms[row] ?? 0) + (weights[position] ?? 0) ** 2
      ends[row] = (ends[row] ?? 0) + 1
    }
  }
  norms.forEach((sum, row) => (norms[row] = Math.sqrt(sum)))
  for (let row = 1; row < ends.length; row += 1) ends[row] = (ends[row] ?? 0) + (ends[row - 1] ?? 0)
  const traitsOfRows = new Uint32Array(ends.at(-1) ?? 0)
  const next = Uint32Array.from(ends, (_, row) => ends[row - 1] ?? 0)
  traits.forEach(({ rows }, trait) => {
    for (const row of rows) {
      const slot = next[row] ?? 0
      traitsOfRows[slot] = trait
      next[row] = slot + 1
    }
  })
  yield section(
    'trait.kinds',
    Uint8Array.from(traits, ({ kind }) => traitKinds.indexOf(kind)),
  )
  yield* namesOf(
    'trait',
    traits.map(({ name }) => name),
  )
  yield section('trait.ends', endsOf(traits.map(({ rows }) => rows.length)))
  yield section('trait.rows', joined(traits.map(({ rows }) => rows)))
  const weights = new Float32Array(traits.reduce((sum, { rows }) => sum + rows.length, 0))
  let at = 0
  for (const trait of traits) {
    weights.set(trait.weights, at)
    at += trait.weights.length
  }
  yield section('trait.weights', weights)
  yield section('norm', norms)
  yield section('row-trait.ends', ends)
  yield section('row-trait.traits', traitsOfRows)
}

function* recommendedSections(
  lists: readonly FactList[],
  franchises: Int32Array,
): Generator<RowIndexSection> {
  const neighbours = neighboursOf(lists, franchises)
  const all = neighbours.flat()
  yield section('recommended.ends', endsOf(neighbours.map(({ length }) => length)))
  yield section(
    'recommended.franchises',
    Uint32Array.from(all, ({ franchise }) => franchise),
  )
  yield section(
    'recommended.degrees',
    Float64Array.from(all, ({ degree }) => degree),
  )
  yield section(
    'recommended.back',
    Float64Array.from(all, ({ back }) => back),
  )
  yield section(
    'recommended.norms',
    Float64Array.from(neighbours, (own) => Math.hypot(...own.map(({ degree }) => degree))),
  )
}

function section(
  name: string,
  { buffer, byteOffset, byteLength }: NodeJS.TypedArray,
): RowIndexSection {
  return { name, bytes: new Uint8Array(buffer, byteOffset, byteLength) }
}

function* namesOf(kind: string, names: readonly string[]): Generator<RowIndexSection> {
  const bytes = names.map((name) => Buffer.from(name))
  yield section(`${kind}.names`, Buffer.concat(bytes))
  yield section(`${kind}.name-ends`, endsOf(bytes.map(({ length }) => length)))
}

function endsOf(lengths: readonly number[]): Uint32Array {
  let end = 0
  return Uint32Array.from(lengths, (length) => (end += length))
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const part = (ends: Uint32Array, list: number) => [ends[list - 1] ?? 0, ends[list] ?? 0] as const

export function openRowFacts(index: RowIndex): RowFacts {
  const ends = new Uint32Array(index.section('fact.ends'))
  const kindEnds = new Uint32Array(index.section('fact.kinds'))
  const rows = new Uint32Array(index.section('fact.rows'))
  const weights = new Uint8Array(index.section('fact.weights'))
  const nameEnds = new Uint32Array(index.section('fact.name-ends'))
  const names = Buffer.from(index.section('fact.names'))
  const rowsOf = (list: number) => rows.subarray(...part(ends, list))
  const weightsOf = (list: number) => weights.subarray(...part(ends, list))
  const valuesOf = (kind: FactKind): FactValues => {
    const [first, end] = part(kindEnds, factKinds.indexOf(kind))
    const values = Array.from({ length: end - first }, (_, at) =>
      names.toString('utf8', ...part(nameEnds, first + at)),
    )
    return { first, values }
  }
  const numbers = new Map<FactKind, ReadonlyMap<string, number>>()
  const numbersOf = (kind: FactKind) =>
    getOrAdd(numbers, kind, () => {
      const { first, values } = valuesOf(kind)
      return new Map(values.map((value, at) => [value.toLowerCase(), first + at]))
    })
  return {
    rowCount: index.rows,
    years: new Uint16Array(index.section('year')),
    episodes: new Uint16Array(index.section('episodes')),
    volumes: new Uint16Array(index.section('volumes')),
    chapters: new Uint16Array(index.section('chapters')),
    minutes: new Uint16Array(index.section('minutes')),
    scores: new Float32Array(index.section('score')),
    popularity: new Float32Array(index.section('popularity')),
    franchises: new Int32Array(index.section('franchise')),
    isMain: new Uint8Array(index.section('main')),
    listCount: ends.length,
    valuesOf,
    listOf: (kind, value) => numbersOf(kind).get(value.toLowerCase()),
    rowsOf,
    weightsOf,
    *listsOf(kind) {
      const { first, values } = valuesOf(kind)
      for (const [at, value] of values.entries()) {
        const list = first + at
        const own = weightedKinds.has(kind) ? weightsOf(list) : null
        yield { kind, value, rows: rowsOf(list), weights: own }
      }
    },
    traits: openTraits(index),
    recommended: {
      ends: new Uint32Array(index.section('recommended.ends')),
      franchises: new Uint32Array(index.section('recommended.franchises')),
      degrees: new Float64Array(index.section('recommended.degrees')),
      back: new Float64Array(index.section('recommended.back')),
      norms: new Float64Array(index.section('recommended.norms')),
    },
  }
}

function openTraits(index: RowIndex): RowTraits {
  const kinds = new Uint8Array(index.section('trait.kinds'))
  const nameEnds = new Uint32Array(index.section('trait.name-ends'))
  const names = Buffer.from(index.section('trait.names'))
  const ends = new Uint32Array(index.section('trait.ends'))
  const rows = new Uint32Array(index.section('trait.rows'))
  const weights = new Float32Array(index.section('trait.weights'))
  const rowEnds = new Uint32Array(index.section('row-trait.ends'))
  const traits = new Uint32Array(index.section('row-trait.traits'))
  return {
    kindOf: (trait) => traitKinds[kinds[trait] ?? 0] ?? 'tag',
    nameOf: (trait) => names.toString('utf8', ...part(nameEnds, trait)),
    rowsOf: (trait) => rows.subarray(...part(ends, trait)),
    weightsOf: (trait) => weights.subarray(...part(ends, trait)),
    traitsOf: (row) => traits.subarray(...part(rowEnds, row)),
    norms: new Float64Array(index.section('norm')),
  }
}
