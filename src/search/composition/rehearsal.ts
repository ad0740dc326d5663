/**
 * A search before the first request: it opens what the first search of a dataset needs, and has the code compiled, so that
 * the first search of a person is as quick as the second.
 */
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import type { RankedSearchService } from '../service/ranked-search.js'

/** What people ask: a description, a work that it is like, facts, and what it is not. */
const queries = [
  'a student finds a notebook that kills anyone whose name he writes in it',
  'like Mushishi but darker, a short 90s series without romance',
]

/** @param service without the lists of a user, for which it would ask another server */
export async function rehearse(
  service: RankedSearchService,
  dataset: DatasetName,
  signal: AbortSignal,
): Promise<void> {
  for (const query of queries) {
    signal.throwIfAborted()
    await service.ranked(
      {
        dataset,
        query,
        numResults: 10,
        page: 1,
        group: 'franchise',
        explain: true,
        batchSize: 8,
        candidates: 200,
        includeLightNovels: false,
        filter: { adult: false },
      },
      signal,
    )
  }
}
