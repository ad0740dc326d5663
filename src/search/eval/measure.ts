/** Runs the known items of a set through every system and measures how well each finds them. */
import { type Figures, type Rank, figuresOf } from './figures.js'
import type { ItemSet, KnownItem } from './known-items.js'
import type { MeasuredSet } from './report.js'
import type { Ordered, Reorder, Searcher } from './searcher.js'
import { type Choice, type System, firstStages } from './systems.js'

/** What a reranker gets to order, the default of /search; no figure looks deeper. */
const candidates = 100

/** @param onDone called for each query that a system has answered */
export async function measure(
  { name, items, leftOut }: ItemSet,
  choice: Choice,
  searcher: Searcher,
  onDone: () => void,
): Promise<MeasuredSet> {
  const systems: (System & Figures)[] = []
  for (const stage of items.length === 0 ? [] : firstStages(choice)) {
    const candidateRows = new Map<KnownItem, Ordered>()
    for (const item of items) candidateRows.set(item, await searcher.find(stage, item, candidates))

    const rankAll = async (reorder: Reorder): Promise<Figures> => {
      const ranks: Rank[] = []
      for (const [item, rows] of candidateRows) {
        ranks.push(rankOf(item, await reorder(item, rows)))
        onDone()
      }
      return figuresOf(ranks)
    }
    for (const reranker of choice.rerankers) {
      const figures =
        reranker === null
          ? await rankAll((_, rows) => Promise.resolve(rows))
          : await searcher.use(reranker, rankAll)
      systems.push({ ...stage, reranker, ...figures })
    }
  }
  return { name, queries: items.length, leftOut, systems }
}

function rankOf({ rows }: KnownItem, list: Ordered): Rank {
  const position = list.findIndex((row) => rows.includes(row))
  return position < 0 ? undefined : position + 1
}
