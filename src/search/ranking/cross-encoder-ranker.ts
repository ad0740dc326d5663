/** A cross-encoder as a ranker. It scores the query with every text of an entry; the best score counts. */
import type { Catalogue } from '../../data/catalogue/catalogue.js'
import type { CrossEncoder } from '../../models/encoders/cross-encoder.js'
import type { Ranker } from './ranker.js'

/**
 * The least pairs whose texts are fetched together: enough to sort by length. Fetching holds the event
 * loop for some milliseconds, and stops when the client leaves.
 */
const minPairs = 1024

export function createCrossEncoderRanker(
  encoder: CrossEncoder,
  catalogue: Pick<Catalogue, 'text'>,
): Ranker {
  return {
    get device() {
      return encoder.device
    },
    async rank({ dataset, query, rows, batchSize, signal }) {
      // A row without texts stays below every score.
      const scores = new Float32Array(rows.length).fill(-1)
      const columns = new Uint16Array(rows.length)
      let queriesTruncated = 0
      for (let next = 0; next < rows.length;) {
        const pairs: Pair[] = []
        while (next < rows.length && pairs.length < Math.max(batchSize, minPairs)) {
          pairs.push(...pairsOf(catalogue, dataset, rows[next] ?? 0, next))
          next += 1
        }
        const texts = pairs.map(({ text }) => text)
        const scored = await encoder.score(query, texts, { batchSize, signal })
        queriesTruncated += scored.queriesTruncated
        pairs.forEach(({ position, column }, pair) => {
          const score = scored.scores[pair] ?? 0
          // The columns of a row come in ascending order.
          if (score <= (scores[position] ?? -1)) return
          scores[position] = score
          columns[position] = column
        })
      }
      return {
        scores,
        textScores: scores,
        toProbability: (score) => Math.max(score, 0),
        columns,
        warnings: queriesTruncated > 0 ? [cutQuery] : [],
      }
    },
  }
}

const cutQuery =
  'The query is too long for the model together with a long text. Its end was cut off there.'

interface Pair {
  /** Position of the row in the request. */
  readonly position: number
  readonly column: number
  readonly text: string
}

/** A text that occurs in several columns is scored once. */
function pairsOf(
  catalogue: Pick<Catalogue, 'text'>,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
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
