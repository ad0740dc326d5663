/** A cross-encoder as a ranker: it reads the query beside every text of an entry, and the best counts. */
import type { Catalogue } from '../catalogue/catalogue.js'
import type { CrossEncoder } from '../encoders/cross-encoder.js'
import type { Ranker } from './ranker.js'

/**
 * Pairs whose texts are fetched together, at least; enough to sort by length. Fetching holds the event
 * loop for some milliseconds, and a client that leaves spares the rest.
 */
const leastPairs = 1024

export function createCrossEncoderRanker(
  encoder: CrossEncoder,
  catalogue: Pick<Catalogue, 'text'>,
): Ranker {
  return {
    device: encoder.device,
    async rank({ dataset, query, rows, batchSize, signal }) {
      // A row without texts stays below every score.
      const merits = new Float32Array(rows.length).fill(-1)
      const columns = new Uint16Array(rows.length)
      let queriesTruncated = 0
      for (let next = 0; next < rows.length;) {
        const pairs: Pair[] = []
        while (next < rows.length && pairs.length < Math.max(batchSize, leastPairs)) {
          pairs.push(...pairsOf(catalogue, dataset, rows[next] ?? 0, next))
          next += 1
        }
        const texts = pairs.map(({ text }) => text)
        const answer = await encoder.score(query, texts, { batchSize, signal })
        queriesTruncated += answer.queriesTruncated
        pairs.forEach(({ position, column }, pair) => {
          const score = answer.scores[pair] ?? 0
          // The columns of a row come in ascending order.
          if (score <= (merits[position] ?? -1)) return
          merits[position] = score
          columns[position] = column
        })
      }
      return {
        merits,
        scoreOf: (merit) => Math.max(merit, 0),
        columns,
        warnings: queriesTruncated > 0 ? [cutQuery] : [],
      }
    },
  }
}

const cutQuery =
  'The query is longer than the model reads beside a long text; there its end was left out.'

interface Pair {
  /** Of the row among the rows that are asked for. */
  readonly position: number
  readonly column: number
  readonly text: string
}

/** A text that several columns have is scored once. */
function pairsOf(
  catalogue: Pick<Catalogue, 'text'>,
  { name, columns }: { readonly name: 'anime' | 'manga'; readonly columns: readonly string[] },
  row: number,
  position: number,
): Pair[] {
  const texts = new Map<string, number>()
  columns.forEach((_, column) => {
    const text = catalogue.text(name, row, column)
    if (text !== null && !texts.has(text)) texts.set(text, column)
  })
  return [...texts].map(([text, column]) => ({ position, column, text }))
}
