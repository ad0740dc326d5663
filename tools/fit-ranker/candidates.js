/** What the ranker makes of a query: features of its candidates, and its best works with and without those that it means. */
import { createCandidates, scopeOf } from '../../dist/search/service/ranked-candidates.js'

/** As deep as what is learnt from candidates goes; /search goes to half of it. */
const deep = 200
/** So many of the best are written of what the whole search makes of a query. */
const shown = 20
const options = { interpret: true, candidates: 100, includeLightNovels: true }

/** @param {{ query: string, ids: readonly number[] }} item */
export async function candidatesOf(search, name, { query, ids }) {
  const dataset = search.catalogue.dataset(name)
  const { franchises } = (await search.knowledge(dataset)).facts
  const wanted = new Set(ids.flatMap((id) => search.catalogue.rowOfId(name, id) ?? []))
  const rows = await search.firstStage.candidates({ dataset, query, count: deep, mask: undefined })
  const features = await search.computeFeatures({ dataset, query, rows })
  const find = createCandidates(search)
  const answer = async (excluded) => {
    const scope = scopeOf(search.catalogue, dataset, options, excluded)
    const { each } = await find(dataset, options, [{ query }], scope)
    const picked = await each[0]()
    return search.rankers.use(undefined, undefined, async (ranker) => {
      const ranking = await ranker.rank({ dataset, ...picked, batchSize: 32 })
      return best(picked, ranking, { wanted, franchises })
    })
  }
  return {
    dataset: name,
    query,
    rows: [...rows],
    wanted: [...rows].map((row) => Number(wanted.has(row))),
    ...Object.fromEntries(
      ['cosine', 'bm25', 'maxsim', 'popularity'].map((one) => [one, [...features[one]]]),
    ),
    with: await answer([]),
    without: await answer([...wanted]),
  }
}

function best(
  { rows, fit, interpretation, query },
  { scores, textScores },
  { wanted, franchises },
) {
  const order = [...rows.keys()].sort((one, other) => scores[other] - scores[one]).slice(0, shown)
  const { explained, hasText, hasReferences, requests } = fit
  return {
    explained,
    hasText,
    hasReferences,
    requests: requests.length,
    unknownNames: interpretation?.unknownNames?.length ?? 0,
    text: query,
    works: order.map((position) => {
      const row = rows[position]
      return {
        row,
        wanted: Number(wanted.has(row)),
        score: scores[position],
        textScore: textScores[position],
        title: fit.titleScores[row] ?? 0,
        fulfilled: fit.requestScores[row] ?? 0,
        franchise: franchises[row],
      }
    }),
  }
}
