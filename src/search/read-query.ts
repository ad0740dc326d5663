/** What a query of a ranked search says, and the rows that come before the ranker. */
import type { DatasetInfo } from '../catalogue/catalogue.js'
import type { RowMask } from '../util/row-mask.js'
import { candidateRows } from '../knowledge/candidate-rows.js'
import type { DatasetKnowledge } from '../knowledge/dataset-knowledge.js'
import { exampleRows, type QueryFit } from '../knowledge/query-fit.js'
import type { Interpretation } from '../query/interpretation.js'
import type { FirstStage, VectorPhases } from '../ranking/first-stage.js'
import type { RankedQuery } from './ranked-search.js'

/** The rows of a dataset that are searched. */
export interface Scope {
  readonly count: number
  /** Ascending. Computed on each call, which is slow for large datasets. */
  readonly rows: () => Uint32Array
  /** Undefined if all rows are searched. */
  readonly mask: RowMask | undefined
}

export interface ReadQuery {
  /** The text that is left to compare with texts; all of the query where nothing is left. */
  readonly query: string
  /** Absent where the request wants no interpretation. */
  readonly fit?: QueryFit
  /** Absent where nothing was read. */
  readonly interpretation?: Interpretation
}

export interface QueryReader {
  read(
    dataset: DatasetInfo,
    request: Pick<RankedQuery, 'query' | 'interpret' | 'ignore'>,
    scope: Pick<Scope, 'mask'>,
    signal?: AbortSignal,
  ): Promise<ReadQuery>
  /** Ascending, so that entries with equal scores are ordered by row. */
  pickRows(
    dataset: DatasetInfo,
    request: Pick<RankedQuery, 'query' | 'candidates'>,
    fit: QueryFit | undefined,
    scope: Scope,
    signal?: AbortSignal,
    onPhases?: (phases: VectorPhases) => void,
  ): Promise<Uint32Array>
}

export function createReadQuery({
  firstStage,
  knowledge,
}: {
  readonly firstStage: FirstStage
  readonly knowledge: (dataset: DatasetInfo) => Promise<DatasetKnowledge>
}): QueryReader {
  return {
    async read(dataset, { query, interpret = true, ignore }, { mask }, signal) {
      if (!interpret) return { query }
      const known = await knowledge(dataset)
      const interpretation = known.interpret(query, ignore)
      if (interpretation.readings.length === 0) return { query, fit: known.fit(interpretation) }
      const text = interpretation.text === '' ? query : interpretation.text
      const cosines = new Map<number, Float32Array>()
      for (const row of exampleRows(interpretation)) {
        cosines.set(row, await firstStage.neighbours({ dataset, row, mask, signal }))
      }
      return { query: text, fit: known.fit(interpretation, cosines), interpretation }
    },
    async pickRows(dataset, { query, candidates }, fit, scope, signal, onPhases) {
      if (candidates === 'all') return scope.rows()
      const count = Math.min(candidates, scope.count)
      const { mask } = scope
      const byText = await firstStage.candidates({
        ...{ dataset, query, count, mask, signal, onPhases },
      })
      // At most half of the candidates come from what the query says beside its text.
      const byFit = fit === undefined ? [] : candidateRows(fit, Math.floor(count / 2), mask)
      const rows = [...new Set([...byFit, ...byText])].slice(0, count)
      return Uint32Array.from(rows).sort()
    },
  }
}
