/** The text format of Prometheus, and what two readings of it say of the time between them. */

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export type Labels = Readonly<Record<string, string>>

/** Lines that are no sample are left out. */
export function readSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, inner = '', value] = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
    if (name === undefined || value === undefined) return []
    const pairs = [...inner.matchAll(/\b([a-z_]\w*)="((?:[^"\\]|\\.)*)"/gi)]
    const labels = Object.fromEntries(
      pairs.map(([, key = '', word = '']) => [key, unescaped(word)]),
    )
    return [{ name, labels, value: value === '+Inf' ? Infinity : Number(value) }]
  })
}

const unescaped = (word: string) =>
  word.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))

const matches = (labels: Labels, selected: Labels) =>
  Object.entries(selected).every(([name, value]) => labels[name] === value)

export function sumOf(samples: readonly Sample[], name: string, selected: Labels = {}): number {
  return samples
    .filter((sample) => sample.name === name && matches(sample.labels, selected))
    .reduce((sum, { value }) => sum + value, 0)
}

/** Every value of a label of a metric, in the order in which they appear. */
export function valuesOf(samples: readonly Sample[], name: string, label: string): string[] {
  const values = samples
    .filter((sample) => sample.name === name)
    .map(({ labels }) => labels[label] ?? '')
  return [...new Set(values)]
}

/**
 * The value below which that share of a histogram's observations lies, of those since `before`; undefined if
 * there are none. A restarted server counts from zero, so a fall counts as none.
 */
export function quantile(
  share: number,
  { now, before }: { readonly now: readonly Sample[]; readonly before: readonly Sample[] },
  name: string,
  selected: Labels = {},
): number | undefined {
  const bucketsOf = (samples: readonly Sample[]) => {
    const counts = new Map<number, number>()
    for (const { name: own, labels, value } of samples) {
      if (own !== `${name}_bucket` || !matches(labels, selected)) continue
      const bound = labels.le === '+Inf' ? Infinity : Number(labels.le)
      counts.set(bound, (counts.get(bound) ?? 0) + value)
    }
    return counts
  }
  const earlier = bucketsOf(before)
  const buckets = [...bucketsOf(now)]
    .map(([bound, count]) => ({ bound, count: Math.max(0, count - (earlier.get(bound) ?? 0)) }))
    .sort((one, other) => one.bound - other.bound)
  const total = buckets.at(-1)?.count ?? 0
  if (total === 0) return undefined
  const wantedCount = share * total
  let below = { bound: 0, count: 0 }
  for (const bucket of buckets) {
    if (bucket.count >= wantedCount) {
      if (bucket.bound === Infinity) return below.bound
      const inside = bucket.count - below.count
      const part = inside === 0 ? 1 : (wantedCount - below.count) / inside
      return below.bound + part * (bucket.bound - below.bound)
    }
    below = bucket
  }
  return below.bound
}
