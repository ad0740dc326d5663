/** What a benchmark has to reach, as a ratio or difference of one run, and whether it did. */
export function describeTarget(
  what: string,
  value: number,
  bound: 'at most' | 'at least',
  target: number,
): string {
  const isHeld = bound === 'at most' ? value <= target : value >= target
  const verdict = Number.isNaN(value) ? 'not measured' : isHeld ? 'held' : 'missed'
  return `  ${what.padEnd(52)}${value.toFixed(2).padStart(8)}  ${bound} ${target}: ${verdict}`
}
