/** How many times as fast as FAISS, as bars: a set a group, a batch a bar. */
export interface Ratio {
  readonly name: string
  readonly batch: number
  readonly ratio: number
}

const barWidth = 34
const groupGap = 40
const plotHeight = 260
const margin = { top: 48, right: 24, bottom: 56, left: 56 }
const colours = ['#1b4965', '#3a7ca5', '#81b29a', '#e09f3e']

export function plotRatios(ratios: readonly Ratio[], kernel: string): string {
  const names = [...new Set(ratios.map(({ name }) => name))]
  const batches = [...new Set(ratios.map(({ batch }) => batch))]
  const highest = Math.max(...ratios.map(({ ratio }) => ratio))
  const groupWidth = batches.length * barWidth + groupGap
  const width = margin.left + names.length * groupWidth + margin.right
  const height = margin.top + plotHeight + margin.bottom
  const y = (ratio: number): number => margin.top + plotHeight * (1 - ratio / highest)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${margin.left}" y="20" font-size="14">Speed relative to FAISS IndexFlatIP at its best, by queries in a batch (k = 10, kernel ${kernel})</text>`,
    `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(1)}" y2="${y(1)}" stroke="#999" stroke-dasharray="4"/>`,
    `<text x="${margin.left - 8}" y="${y(1) + 4}" text-anchor="end">1</text>`,
  ]
  for (const { name, batch, ratio } of ratios) {
    const group = names.indexOf(name)
    const bar = batches.indexOf(batch)
    const x = margin.left + group * groupWidth + groupGap / 2 + bar * barWidth
    const base = margin.top + plotHeight
    parts.push(
      `<rect x="${x}" y="${y(ratio)}" width="${barWidth - 4}" height="${base - y(ratio)}" fill="${colours[bar % colours.length] ?? '#333'}"/>`,
      `<text x="${x + barWidth / 2 - 2}" y="${y(ratio) - 5}" text-anchor="middle">${ratio.toFixed(1)}</text>`,
      `<text x="${x + barWidth / 2 - 2}" y="${base + 16}" text-anchor="middle">${batch}</text>`,
    )
  }
  names.forEach((name, group) => {
    const x = margin.left + (group + 0.5) * groupWidth
    parts.push(
      `<text x="${x}" y="${margin.top + plotHeight + 38}" text-anchor="middle">${name}</text>`,
    )
  })
  return [...parts, '</svg>', ''].join('\n')
}
