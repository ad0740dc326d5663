/**
 * An inverted index of the facts of a dataset: each value with its rows, and one number a row. The import
 * makes and stores them, so that a server compares a query with every work without reading one.
 */
import { remember } from '../../base/text/remember.js'
import { getOrAdd } from '../../base/util/get-or-add.js'
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
  'character',
  'recommended',
  'audience',
  'source',
  'status',
  'franchise',
  'relation',
] as const
export type FactKind = (typeof factKinds)[number]

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

interface Growing {
  readonly value: string
  readonly rows: number[]
  readonly weights: number[] | null
}

export function createFactListsBuilder(): FactListsBuilder {
  const kinds = new Map(factKinds.map((kind) => [kind, new Map<string, Growing>()]))
  const adult: number[] = []
  const measures = new Map(measureNames.map((name) => [name, [] as number[]]))
  let row = 0
  /** As written, each spelling of a value: most values have one. */
  const spellings = new Map(factKinds.map((kind) => [kind, new Map<string, Growing>()]))
  const listOf = (kind: FactKind, value: string, isWeighed: boolean): Growing => {
    const lists = kinds.get(kind) ?? new Map<string, Growing>()
    const create = () => ({ value, rows: [], weights: isWeighed ? [] : null })
    return getOrAdd(lists, value.toLowerCase(), create)
  }
  const addValue = (kind: FactKind, value: string, weight?: number) => {
    const known = spellings.get(kind) ?? new Map<string, Growing>()
    const list = getOrAdd(known, value, () => listOf(kind, value, weight !== undefined))
    if (list.rows.at(-1) === row) return
    list.rows.push(row)
    if (weight !== undefined) list.weights?.push(weight)
  }
  return {
    add(work) {
      for (const [kind, values] of valuesOf(work)) for (const value of values) addValue(kind, value)
      for (const [tag, weight] of allTags(work)) addValue('tag', tag, weight)
      for (const [key, weight] of recommendedBy(work)) addValue('recommended', key, weight)
      const { year, score, facts: { episodes, volumes, chapters, minutes } = {} } = work
      const numbers = { year, score, episodes, volumes, chapters, minutes }
      for (const [name, values] of measures) values.push(numbers[name] ?? NaN)
      adult.push(Number(isAdult(work)))
      row += 1
    },
    build: () => ({
      rowCount: row,
      lists: [...kinds].flatMap(([kind, lists]) =>
        [...lists.values()].map(({ value, rows, weights }) => ({
          kind,
          value,
          rows: Uint32Array.from(rows),
          weights: weights === null ? null : Uint8Array.from(weights),
        })),
      ),
      adult: Uint8Array.from(adult),
      measures: measuresOf((name) => Float32Array.from(measures.get(name) ?? [])),
    }),
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
  const { studios = [], authors = [], directors = [], characters = [], franchise } = facts
  const { magazines = [] } = facts
  return [
    ['type', type === null ? [] : [type]],
    ['genre', genres],
    ['studio', studios],
    ['person', [...authors, ...directors]],
    ['author', authors],
    ['magazine', magazines],
    ['character', characters],
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
