/** Logistic regression over sparse features: whole batches, Adam, and a penalty on the square of each weight. */

/**
 * @typedef {{ ids: Int32Array, values: Float32Array, label: number, weight: number }} Row `label` is a class, or -1
 *   for none of them where `hasNone`
 * @param {readonly Row[]} rows
 * @param {{ classes: number, features: number, penalty: (feature: number) => number, hasNone: boolean, steps?: number }} options
 * @returns {Float64Array} the weight of each feature for each class, classes side by side
 */
export function fitLogistic(rows, { classes, features, penalty, hasNone, steps = 70 }) {
  const size = features * classes
  const [weights, slope, mean, square] = [0, 1, 2, 3].map(() => new Float64Array(size))
  const penalties = Float64Array.from({ length: features }, (_, feature) => penalty(feature))
  const data = joined(rows)
  const total = data.weights.reduce((sum, weight) => sum + weight, 0)
  const addSlope = classes === 1 && hasNone ? addSlopeOfOne : addSlopeOfMany
  for (let step = 1; step <= steps; step += 1) {
    slope.fill(0)
    addSlope(data, weights, slope, classes, hasNone)
    const rate = 0.15 * Math.min(1, step / 10) * Math.min(1, (3.6 * (steps - step)) / steps + 0.1)
    const [meanShare, squareShare] = [1 - 0.9 ** step, 1 - 0.99 ** step]
    for (let at = 0; at < size; at += 1) {
      const gradient = (slope[at] + penalties[Math.floor(at / classes)] * weights[at]) / total
      mean[at] = 0.9 * mean[at] + 0.1 * gradient
      square[at] = 0.99 * square[at] + 0.01 * gradient * gradient
      weights[at] -= (rate * (mean[at] / meanShare)) / (Math.sqrt(square[at] / squareShare) + 1e-11)
    }
  }
  return weights
}

/** All rows one behind the other: `begins` has the first feature of each. */
function joined(rows) {
  const begins = new Int32Array(rows.length + 1)
  rows.forEach(({ ids }, row) => (begins[row + 1] = begins[row] + ids.length))
  const ids = new Int32Array(begins[rows.length])
  const values = new Float32Array(begins[rows.length])
  rows.forEach((row, at) => {
    ids.set(row.ids, begins[at])
    values.set(row.values, begins[at])
  })
  return {
    begins,
    ids,
    values,
    labels: Int8Array.from(rows, ({ label }) => label),
    weights: Float64Array.from(rows, ({ weight }) => weight),
  }
}

function addSlopeOfOne({ begins, ids, values, labels, weights: shares }, weights, slope) {
  for (let row = 0; row < labels.length; row += 1) {
    const [begin, end] = [begins[row], begins[row + 1]]
    let logit = 0
    for (let i = begin; i < end; i += 1) logit += values[i] * weights[ids[i]]
    const error = shares[row] * (1 / (1 + Math.exp(-logit)) - (labels[row] === 0 ? 1 : 0))
    for (let i = begin; i < end; i += 1) slope[ids[i]] += values[i] * error
  }
}

function addSlopeOfMany(
  { begins, ids, values, labels, weights: shares },
  weights,
  slope,
  classes,
  hasNone,
) {
  const logits = new Float64Array(classes)
  for (let row = 0; row < labels.length; row += 1) {
    const [begin, end] = [begins[row], begins[row + 1]]
    logits.fill(0)
    for (let i = begin; i < end; i += 1)
      for (let c = 0; c < classes; c += 1) logits[c] += values[i] * weights[ids[i] * classes + c]
    let most = hasNone ? 0 : -Infinity
    for (let c = 0; c < classes; c += 1) most = Math.max(most, logits[c])
    let sum = hasNone ? Math.exp(-most) : 0
    for (let c = 0; c < classes; c += 1) sum += logits[c] = Math.exp(logits[c] - most)
    for (let c = 0; c < classes; c += 1)
      logits[c] = shares[row] * (logits[c] / sum - (c === labels[row] ? 1 : 0))
    for (let i = begin; i < end; i += 1)
      for (let c = 0; c < classes; c += 1) slope[ids[i] * classes + c] += values[i] * logits[c]
  }
}
