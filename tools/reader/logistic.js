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
  const logits = new Float64Array(classes)
  const total = rows.reduce((sum, { weight }) => sum + weight, 0)
  for (let step = 1; step <= steps; step += 1) {
    slope.fill(0)
    for (const { ids, values, label, weight } of rows) {
      logits.fill(0)
      for (let i = 0; i < ids.length; i += 1)
        for (let c = 0; c < classes; c += 1) logits[c] += values[i] * weights[ids[i] * classes + c]
      const most = Math.max(hasNone ? 0 : -Infinity, ...logits)
      let sum = hasNone ? Math.exp(-most) : 0
      for (let c = 0; c < classes; c += 1) sum += logits[c] = Math.exp(logits[c] - most)
      for (let c = 0; c < classes; c += 1)
        logits[c] = weight * (logits[c] / sum - (c === label ? 1 : 0))
      for (let i = 0; i < ids.length; i += 1)
        for (let c = 0; c < classes; c += 1) slope[ids[i] * classes + c] += values[i] * logits[c]
    }
    const rate = 0.15 * Math.min(1, step / 10) * Math.min(1, (3.6 * (steps - step)) / steps + 0.1)
    for (let at = 0; at < size; at += 1) {
      const gradient = (slope[at] + penalties[Math.floor(at / classes)] * weights[at]) / total
      mean[at] = 0.9 * mean[at] + 0.1 * gradient
      square[at] = 0.99 * square[at] + 0.01 * gradient * gradient
      const [first, second] = [mean[at] / (1 - 0.9 ** step), square[at] / (1 - 0.99 ** step)]
      weights[at] -= (rate * first) / (Math.sqrt(second) + 1e-11)
    }
  }
  return weights
}
