/** What people search, with `--analytics`. */
import { seconds } from './numbers.js'
import { Table } from './tables.js'
import { searches } from './watch.js'

export function Searches() {
  const summary = searches.value
  if (summary === null) return null
  const rows = (queries: typeof summary.topQueries) =>
    queries.map(({ dataset, query, count }) => [query, dataset, count])
  const head = ['Query', 'Dataset', 'Searches']
  return (
    <>
      <Table
        title="Frequent queries"
        head={head}
        rows={rows(summary.topQueries)}
        empty="Nothing was searched since the server started."
      />
      <Table
        title="Queries for which nothing fits"
        head={head}
        rows={rows(summary.unmatchedQueries)}
        empty="Something fits every query since the server started."
      />
      <Table
        title="Times by kind of query"
        head={['Kind', 'Searches', 'Median', '95 %']}
        rows={summary.latency.map(({ kind, count, medianMs, p95Ms }) => [
          kind,
          count,
          seconds(medianMs / 1000),
          seconds(p95Ms / 1000),
        ])}
        empty="Nothing was searched since the server started."
      />
    </>
  )
}
