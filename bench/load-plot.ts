/** Latency of the requests that were answered, as lines over the share of them: one line a load. */
export interface LoadCurve {
  readonly name: string
  /** Milliseconds, ascending. */
  readonly times: Float64Array
}

const width = 640
const height = 360
const margin = { top: 40, right: 120, bottom: 48, left: 64 }
const colours = ['#1b4965', '#e09f3e', '#9e2a2b']
/** Half, nine tenths, … of the requests were faster. */
const nines = [0, 0.5, 0.9, 0.99, 0.999]

/** Both axes are logarithmic: time, and the share of requests that took longer. */
export function plotLoad(curves: readonly LoadCurve[], title: string): string {
  const highest = Math.max(...curves.map(({ times }) => times.at(-1) ?? 0), 1)
  const lowest = Math.min(...curves.map(({ times }) => times[0] ?? 1), highest / 10)
  const x = (share: number) =>
    margin.left + (-Math.log10(1 - share) / 3) * (width - margin.left - margin.right)
  const y = (ms: number) =>
    margin.top +
    (1 - Math.log10(ms / lowest) / Math.log10(highest / lowest)) *
      (height - margin.top - margin.bottom)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${margin.left}" y="20" font-size="14">${title}</text>`,
  ]
  for (const share of nines) {
    parts.push(
      `<line x1="${x(share)}" x2="${x(share)}" y1="${margin.top}" y2="${height - margin.bottom}" stroke="#ddd"/>`,
      `<text x="${x(share)}" y="${height - margin.bottom + 18}" text-anchor="middle">${share * 100}%</text>`,
    )
  }
  for (let ms = 10 ** Math.ceil(Math.log10(lowest)); ms <= highest; ms *= 10) {
    parts.push(
      `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(ms)}" y2="${y(ms)}" stroke="#ddd"/>`,
      `<text x="${margin.left - 8}" y="${y(ms) + 4}" text-anchor="end">${Number(ms.toPrecision(1))} ms</text>`,
    )
  }
  for (const [i, { name, times }] of curves.entries()) {
    const steps = Array.from({ length: 121 }, (_, step) => 1 - 10 ** (-step / 40))
    const points = steps.map((share) => {
      return `${x(share).toFixed(1)},${y(times[Math.floor(share * (times.length - 1))] ?? lowest).toFixed(1)}`
    })
    const colour = colours[i % colours.length] ?? '#333'
    const last = points.at(-1)?.split(',')[1] ?? '0'
    parts.push(
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<text x="${width - margin.right + 8}" y="${Number(last) + 4}" fill="${colour}">${name}</text>`,
    )
  }
  return [...parts, '</svg>', ''].join('\n')
}
