/** A Catalogue over plain arrays, with works whose texts a seeded generator wrote. */
import type {
  Catalogue,
  DatasetInfo,
  DatasetName,
  Entry,
  LexicalHit,
} from '#synoptic/catalogue/catalogue.js'

export interface Work extends Entry {
  readonly texts: readonly (string | null)[]
}

export interface ArrayDataset {
  readonly columns: readonly string[]
  readonly works: readonly Work[]
}

export class ArrayCatalogue implements Catalogue {
  constructor(private readonly content: Partial<Record<DatasetName, ArrayDataset>>) {}

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

  rowsOfType(dataset: DatasetName, type: string): number[] {
    const works = this.content[dataset]?.works ?? []
    return works.flatMap((work, row) => (work.type === type ? [row] : []))
  }

  lexical(): LexicalHit[] {
    return []
  }

  lexicalScores(_: DatasetName, __: string, rows: Uint32Array): Float32Array {
    return new Float32Array(rows.length)
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
    metadata: { episodes: row % 26 },
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
