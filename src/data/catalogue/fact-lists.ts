/**
 * An inverted index of the facts of a dataset, but its characters: each value with its rows, and one number a row. The
 * import makes and stores them, so that a server compares a query with every work without reading one.
 */
import { remember } from '../../base/text/remember.js'
import { createGrowingList } from '../../base/text/growing-list.js'
import { isAdult } from './adult.js'
import type { CatalogueRow } from './catalogue-row.js'
import type { TagWeights } from './entry-facts.js'

export const factKinds = [
  'type',
  'genre',
  'tag',
  'studio',
  'person',
  'author',
  'magazine',
  'recommended',
  'audience',
  'source',
  'status',
  'franchise',
  'relation',
] as const
export type FactKind = (typeof factKinds)[number]

export const weightedKinds: ReadonlySet<FactKind> = new Set(['tag', 'recommended'])

const measureNames = ['year', 'episodes', 'volumes', 'chapters', 'minutes', 'score'] as const
type MeasureName = (typeof measureNames)[number]

/** A value of a kind and the works that have it. */
export interface FactList {
  readonly kind: FactKind
  /** As the first of the works has it; the others may write it in another case. */
  readonly value: string
  /** Ascending. */
  readonly rows: Uint32Array
  /** One a row, 1 to 3; of tags, and of what is recommended. */
  readonly weights: Uint8Array | null
}

export interface FactLists {
  readonly rowCount: number
  readonly lists: readonly FactList[]
  /** One value a row, NaN where unknown. */
  readonly measures: Readonly<Record<MeasureName, Float32Array>>
  /** 1 for each row that is for adults only. */
  readonly adult: Uint8Array
}

export type FactSource = Pick<
  CatalogueRow,
  'type' | 'year' | 'score' | 'genres' | 'metadata' | 'facts'
>

export interface FactListsBuilder {
  /** The next row. */
  add(work: FactSource): void
  build(): FactLists
}

export function createFactListsBuilder(): FactListsBuilder {
  const listed = createListed()
  const adult: number[] = []
  const measures = new Map(measureNames.map((name) => [name, [] as number[]]))
  let row = 0
  return {
    add(work) {
      for (const [kind, values] of valuesOf(work))
        for (const value of values) listed.add(kind, value, row)
      for (const [tag, weight] of allTags(work)) listed.add('tag', tag, row, weight)
      for (const [key, weight] of recommendedBy(work)) listed.add('recommended', key, row, weight)
      const { year, score, facts: { episodes, volumes, chapters, minutes } = {} } = work
      const numbers = { year, score, episodes, volumes, chapters, minutes }
      for (const [name, values] of measures) values.push(numbers[name] ?? NaN)
      adult.push(Number(isAdult(work)))
      row += 1
    },
    build: () => ({
      rowCount: row,
      lists: listed.lists(),
      adult: Uint8Array.from(adult),
      measures: measuresOf((name) => Float32Array.from(measures.get(name) ?? [])),
    }),
  }
}

/** Values with their rows in flat lists: a dataset may have a million values, and an array for each takes far more memory. */
function createListed() {
  /** By the value as written, and in lower case. */
  const numbers = new Map(factKinds.map((kind) => [kind, new Map<string, number>()]))
  const values: { readonly kind: FactKind; readonly value: string }[] = []
  /** Of each list the last row, plus one. */
  const lastRows: number[] = []
  const entries = {
    lists: createGrowingList(),
    rows: createGrowingList(),
    weights: createGrowingList(),
  }

  function numberOf(kind: FactKind, value: string): number {
    const known = numbers.get(kind)
    const found = known?.get(value)
    if (found !== undefined) return found
    const lower = value.toLowerCase()
    const number = known?.get(lower) ?? values.length
    known?.set(value, number)
    known?.set(lower, number)
    if (number === values.length) {
      values.push({ kind, value })
      lastRows.push(0)
    }
    return number
  }

  return {
    add(kind: FactKind, value: string, row: number, weight = 0) {
      const list = numberOf(kind, value)
      if (lastRows[list] === row + 1) return
      lastRows[list] = row + 1
      entries.lists.push(list)
      entries.rows.push(row)
      entries.weights.push(weight)
    },
    lists(): FactList[] {
      const [listOf, rowOf] = [entries.lists.view(), entries.rows.view()]
      const weightOf = entries.weights.view()
      const ends = new Uint32Array(values.length)
      for (const list of listOf) ends[list] = (ends[list] ?? 0) + 1
      for (let list = 1; list < ends.length; list += 1)
        ends[list] = (ends[list] ?? 0) + (ends[list - 1] ?? 0)
      const next = Uint32Array.from(ends, (_, list) => ends[list - 1] ?? 0)
      const rows = new Uint32Array(rowOf.length)
      const weights = new Uint8Array(rows.length)
      listOf.forEach((list, entry) => {
        const slot = next[list] ?? 0
        rows[slot] = rowOf[entry] ?? 0
        weights[slot] = weightOf[entry] ?? 0
        next[list] = slot + 1
      })
      const all = { rows, weights }
      return values.map(
        (value, list) => new FlatList(value, all, ends[list - 1] ?? 0, ends[list] ?? 0),
      )
    },
  }
}

interface FlatRows {
  readonly rows: Uint32Array
  readonly weights: Uint8Array
}

/** A view is as large as many rows, so it is made when somebody reads it. */
class FlatList implements FactList {
  readonly kind: FactKind
  readonly value: string
  readonly #all: FlatRows
  readonly #begin: number
  readonly #end: number

  constructor(
    { kind, value }: Pick<FactList, 'kind' | 'value'>,
    all: FlatRows,
    begin: number,
    end: number,
  ) {
    this.kind = kind
    this.value = value
    this.#all = all
    this.#begin = begin
    this.#end = end
  }

  get rows(): Uint32Array {
    return this.#all.rows.subarray(this.#begin, this.#end)
  }

  get weights(): Uint8Array | null {
    return weightedKinds.has(this.kind) ? this.#all.weights.subarray(this.#begin, this.#end) : null
  }
}

/** Calls the function for each measure. */
const measuresOf = <T>(valueOf: (name: MeasureName) => T) =>
  Object.fromEntries(measureNames.map((name) => [name, valueOf(name)])) as Record<MeasureName, T>

/** Shown and hidden tags; what is shown counts where both have one. */
export function allTags({
  facts: { tags = {}, spoilerTags = {} } = {},
}: Pick<FactSource, 'facts'>) {
  for (const _ in spoilerTags)
    return Object.entries<number>({ ...spoilerTags, ...tags } satisfies TagWeights)
  return Object.entries<number>(tags)
}

/** The first of a list weigh most. */
const firstRecommended = 4

const recommendedBy = ({ facts: { recommended = [] } = {} }: Pick<FactSource, 'facts'>) =>
  recommended.map((key, position): [string, number] => [
    factWord(key),
    Math.max(1, 3 - Math.floor(position / firstRecommended)),
  ])

function valuesOf({ type, genres, facts = {} }: FactSource): [FactKind, readonly string[]][] {
  const { studios = [], authors = [], directors = [], franchise } = facts
  const { magazines = [] } = facts
  return [
    ['type', type === null ? [] : [type]],
    ['genre', genres],
    ['studio', studios],
    ['person', [...authors, ...directors]],
    ['author', authors],
    ['magazine', magazines],
    ['audience', wordOf(facts.audience)],
    ['source', wordOf(facts.source)],
    ['status', wordOf(facts.status)],
    ['franchise', wordOf(franchise)],
    ['relation', wordOf(facts.relation)],
  ]
}

/** Sources write `light-novel`, `Light novel` and `light_novel`. */
export const factWord = remember(20_000, (word) => word.toLowerCase().replaceAll(/[\s-]+/g, '_'))

const wordOf = (word: string | null | undefined): readonly string[] =>
  word ? [factWord(word)] : []
