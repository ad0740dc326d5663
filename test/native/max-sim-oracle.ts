/** maxsim in plain JavaScript, as native/core/max_sim.h and max_sim_kernels.h define it. */
export interface OracleIndex {
  readonly dimension: number
  /** int8 rows, tokens x dimension. */
  readonly table: Int8Array
  /** Distinct tokens of each row's text, column by column. */
  readonly columns: readonly (readonly (readonly number[])[])[]
}

export interface OracleMeasure {
  readonly exponent: number
  readonly fullCosine: number
  readonly weights: Float32Array
}

export function oracleScores(
  index: OracleIndex,
  tokens: readonly number[],
  measures: readonly OracleMeasure[],
  rows: readonly number[],
): { scores: Float32Array; together: Float32Array; columns: Uint16Array } {
  const levelsOf = tokens.map((token) => levels(index, token))
  const scores = new Float32Array(rows.length * measures.length)
  const together = new Float32Array(rows.length * measures.length)
  const columns = new Uint16Array(rows.length).fill(0xffff)
  const bestOf = (list: readonly number[]) =>
    levelsOf.map((levels) => Math.max(0, ...list.map((token) => levels[token] ?? 0)))
  rows.forEach((row, position) => {
    const all = bestOf(index.columns.flatMap((lists) => lists[row] ?? []))
    measures.forEach((measure, number) => {
      together[position * measures.length + number] = weigh(all, measure)
    })
    let bestScore = -1
    index.columns.forEach((lists, column) => {
      const list = lists[row] ?? []
      if (list.length === 0) return
      const best = bestOf(list)
      measures.forEach((measure, number) => {
        const score = weigh(best, measure)
        const at = position * measures.length + number
        scores[at] = Math.max(scores[at] ?? 0, score)
        if (number > 0 || score <= bestScore) return
        bestScore = score
        columns[position] = column
      })
    })
  })
  return { scores, together, columns }
}

/** Of one of the query's tokens and every token of the table. */
function levels({ dimension, table }: OracleIndex, query: number): Uint16Array {
  const dot = (a: number, b: number) => {
    let sum = 0
    for (let d = 0; d < dimension; d++) {
      sum += (table[a * dimension + d] ?? 0) * (table[b * dimension + d] ?? 0)
    }
    return sum
  }
  const square = dot(query, query)
  return Uint16Array.from({ length: table.length / dimension }, (_, token) => {
    const norm = Math.sqrt(dot(token, token))
    if (square === 0 || norm === 0) return 0
    const scale = Math.fround(32767.5 / Math.sqrt(square))
    const cosine = Math.fround(dot(query, token) * Math.fround(1 / norm))
    return Math.max(0, Math.trunc(Math.fround(cosine * scale)))
  })
}

function weigh(best: readonly number[], { exponent, fullCosine, weights }: OracleMeasure): number {
  const full = Math.round(fullCosine * 32767)
  let sum = 0
  let total = 0
  best.forEach((level, q) => {
    const cosine = Math.fround(Math.min(level, full) * Math.fround(1 / full))
    let power = cosine
    for (let factor = 1; factor < exponent; factor++) power = Math.fround(power * cosine)
    sum += (weights[q] ?? 0) * power
    total += weights[q] ?? 0
  })
  return total > 0 ? Math.fround(sum / total) : 0
}
