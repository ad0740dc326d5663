/** A Catalogue over plain arrays, with works whose texts a seeded generator wrote. */
import { isAdult } from '#synoptic/data/catalogue/adult.js'
import type { CatalogueRow } from '#synoptic/data/catalogue/catalogue-row.js'
import { allTags, factWord } from '#synoptic/data/catalogue/fact-lists.js'
import { openRowFacts, type RowFacts } from '#synoptic/data/catalogue/row-facts.js'
import type { RowIndex } from '#synoptic/native/addon/row-index.js'
import type { EntryFilter } from '#synoptic/data/catalogue/filter.js'
import type { OwnValues } from '#synoptic/data/catalogue/own-values.js'
import { getOrAdd } from '#synoptic/base/util/get-or-add.js'
import { maskOf, passes, type RowMask } from '#synoptic/base/util/row-mask.js'
import type {
  Catalogue,
  DatasetInfo,
  DatasetName,
  Entry,
} from '#synoptic/data/catalogue/catalogue.js'
import { titlesOf } from '#synoptic/data/catalogue/titles-of.js'
import type { WorkNames } from '#synoptic/data/catalogue/work-names.js'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'
import type { LexicalHit } from '#synoptic/data/lexical/bm25.js'
import { indexOf, namesOf } from '../catalogue/make-names.js'

export interface Work extends Entry {
  readonly texts: readonly (string | null)[]
}

export interface ArrayDataset {
  readonly columns: readonly string[]
  readonly works: readonly Work[]
}

export class ArrayCatalogue implements Catalogue {
  private readonly masks = new Map<string, RowMask>()
  private readonly indexes = new Map<DatasetName, RowIndex>()
  private readonly rowFacts = new Map<DatasetName, RowFacts>()
  private readonly names = new Map<DatasetName, WorkNames>()

  constructor(private readonly content: Partial<Record<DatasetName, ArrayDataset>>) {}

  origins(): readonly never[] {
    return []
  }

  ownValues(): OwnValues {
    return { fields: [], texts: () => new Map(), numbers: () => undefined }
  }

  datasets(): DatasetInfo[] {
    return (['anime', 'manga'] as const).flatMap((name) => this.dataset(name) ?? [])
  }

  dataset(name: DatasetName): DatasetInfo | undefined {
    const dataset = this.content[name]
    if (dataset === undefined) return undefined
    return { name, version: `${name}-1`, rows: dataset.works.length, columns: dataset.columns }
  }

  entry(dataset: DatasetName, row: number): Entry {
    return this.work(dataset, row)
  }

  text(dataset: DatasetName, row: number, column: number): string | null {
    return this.work(dataset, row).texts[column] ?? null
  }

  *texts(dataset: DatasetName, column: number): IterableIterator<{ row: number; text: string }> {
    const works = this.content[dataset]?.works ?? []
    for (const [row, { texts }] of works.entries()) {
      const text = texts[column]
      if (text) yield { row, text }
    }
  }

  rowOfId(dataset: DatasetName, id: number): number | undefined {
    const row = (this.content[dataset]?.works ?? []).findIndex((work) => work.id === id)
    return row === -1 ? undefined : row
  }

  rowsOfSite(dataset: DatasetName, site: 'anilist' | 'mal', id: number): number[] {
    const works = this.content[dataset]?.works ?? []
    const name = `${site}Id`
    return works.flatMap(({ metadata }, row) => (metadata[name] === id ? [row] : []))
  }

  mask(dataset: DatasetName, filter: EntryFilter): RowMask | undefined {
    const key = `${dataset} ${JSON.stringify(filter)}`
    const works = this.content[dataset]?.works ?? []
    const rows = works.flatMap((work, row) => (fits(work, filter) ? [row] : []))
    if (rows.length === works.length) return undefined
    const mask = this.masks.get(key) ?? maskOf(works.length, rows)
    this.masks.set(key, mask)
    return mask
  }

  /** By how many words of the query the texts hold. */
  lexical(
    dataset: DatasetName,
    query: string,
    limit: number,
    mask?: RowMask,
  ): Promise<LexicalHit[]> {
    return Promise.resolve(this.hits(dataset, query, limit, mask))
  }

  private hits(dataset: DatasetName, query: string, limit: number, mask?: RowMask): LexicalHit[] {
    const queryWords = new Set(query.toLowerCase().match(/\w+/g))
    return (this.content[dataset]?.works ?? [])
      .map(({ texts }, row) => {
        const own = new Set(texts.join(' ').split(' '))
        return { row, score: [...queryWords].filter((word) => own.has(word)).length }
      })
      .filter(({ row, score }) => score > 0 && (mask === undefined || passes(mask, row)))
      .sort((one, other) => other.score - one.score || one.row - other.row)
      .slice(0, limit)
  }

  /** The index of its rows has no words. */
  stemsOf(): Uint32Array {
    return new Uint32Array(0)
  }

  lexicalScores(_: DatasetName, __: string, rows: Uint32Array): Promise<Float32Array> {
    return Promise.resolve(new Float32Array(rows.length))
  }

  rowsWith(dataset: DatasetName, query: string): Uint32Array {
    const hits = this.hits(dataset, query, Infinity)
    return Uint32Array.from(hits, ({ row }) => row).sort()
  }

  rowPasses(dataset: DatasetName): RowIndex {
    return getOrAdd(this.indexes, dataset, () => indexOf(this.content[dataset]?.works ?? []))
  }

  facts(dataset: DatasetName): RowFacts {
    return getOrAdd(this.rowFacts, dataset, () => openRowFacts(this.rowPasses(dataset)))
  }

  workNames(dataset: DatasetName): WorkNames {
    return getOrAdd(this.names, dataset, () => {
      const works = this.content[dataset]?.works ?? []
      return namesOf(works, { titles: createTitleIndex(works.flatMap(titlesOf)) })
    })
  }

  popularity(): undefined {
    return undefined
  }

  openRowIndex(): void {
    // There is none.
  }

  buildRowIndex(): void {
    // There is none.
  }

  close(): void {
    // Nothing is open.
  }

  private work(dataset: DatasetName, row: number): Work {
    const work = this.content[dataset]?.works[row]
    if (work === undefined) throw new RangeError(`no row ${row} in ${dataset}`)
    return work
  }
}

/** What a filter says, read by the letter: the oracle of the one in SQL. */
export function fits(work: CatalogueRow, filter: EntryFilter): boolean {
  const { types, withoutTypes, genres, tags, yearFrom, yearTo, minScore, adult } = filter
  const { audience, studios = [] } = work.facts ?? {}
  const isMadeBy = (name: string) => studios.some((own) => own.toLowerCase() === name.toLowerCase())
  const isTagged = (tag: string) => allTags(work).some(([own]) => own === tag)
  const has = (genre: string) =>
    work.genres.some((own) => own.toLowerCase() === genre.toLowerCase())
  return (
    (types === undefined || (work.type !== null && types.includes(work.type))) &&
    !(withoutTypes ?? []).some((type) => type === work.type) &&
    (genres?.any === undefined || genres.any.some(has)) &&
    (genres?.all ?? []).every(has) &&
    !(genres?.none ?? []).some(has) &&
    (tags?.any === undefined || tags.any.some(isTagged)) &&
    (tags?.all ?? []).every(isTagged) &&
    !(tags?.none ?? []).some(isTagged) &&
    (filter.audiences?.some((name) => audience && factWord(audience) === factWord(name)) ?? true) &&
    (filter.studios?.some(isMadeBy) ?? true) &&
    (yearFrom === undefined || (work.year !== null && work.year >= yearFrom)) &&
    (yearTo === undefined || (work.year !== null && work.year <= yearTo)) &&
    (minScore === undefined || (work.score !== null && work.score >= minScore)) &&
    (adult === undefined || isAdult(work) === adult)
  )
}

/** Works with one to `columns` texts each; every eleventh has none. */
export function inventWorks(count: number, columns: number, seed: number): Work[] {
  const random = randomOf(seed)
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? ''
  return Array.from({ length: count }, (_, row) => ({
    id: 1000 + row * 7,
    title: `${pick(words)} ${pick(words)} ${row}`,
    type: pick(['tv', 'movie', 'light_novel']),
    genres: [pick(['Action', 'Drama']), pick(['School', 'Space'])],
    year: row % 5 === 0 ? null : 1980 + (row % 40),
    score: row % 3 === 0 ? null : 5 + (row % 5),
    facts: { episodes: row % 26 },
    metadata: {},
    texts: Array.from({ length: columns }, (_, column) =>
      row % 11 === 10 || (column > 0 && random() < 0.3)
        ? null
        : Array.from({ length: 12 }, () => pick(words)).join(' '),
    ),
  }))
}

const words = (
  'robot school girl boy sword demon war island ghost cat train ocean music dragon king ' +
  'detective murder love rain city moon garden clock train winter baker pilot desert'
).split(' ')

/** Numerical Recipes' generator: the same works in every run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
