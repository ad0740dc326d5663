/** A line over time, from zero to its highest value. */

interface ChartProps {
  readonly values: readonly number[]
  readonly label: string
}

const width = 160
const height = 36
/** Steps of the whole window. */
const stepCount = 150

export function Chart({ values, label }: ChartProps) {
  const highest = Math.max(...values, Number.MIN_VALUE)
  const shown = values.slice(-stepCount)
  const points = shown.map((value, at) => {
    const x = width - (shown.length - 1 - at) * (width / stepCount)
    return `${x.toFixed(1)},${(height - 1 - (value / highest) * (height - 2)).toFixed(1)}`
  })
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <path d={`M0 ${height - 0.5}h${width}`} />
      {points.length > 1 && <polyline points={points.join(' ')} />}
    </svg>
  )
}
