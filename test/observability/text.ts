/** Reads the text format of Prometheus, strictly. */

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Throws at the first line that is none. */
export function readMetrics(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.flatMap((line) => {
    if (/^# (HELP|TYPE) [a-z0-9_]+ \S/.test(line)) return []
    const [, name, labels = '', value] =
      /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined || !/^([+-]Inf|NaN|-?[\d.]+(e[+-]?\d+)?)$/.test(String(value))) {
      throw new Error(`no line of metrics: ${line}`)
    }
    const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)]
    const known = Object.fromEntries(pairs.map(([, label = '', word = '']) => [label, word]))
    return [{ name, labels: known, value: Number(String(value).replace('Inf', 'Infinity')) }]
  })
}

/** Sum of all samples of that name whose labels have these values. */
export function sumOf(samples: readonly Sample[], name: string, labels: Sample['labels'] = {}) {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, word]) => sample.labels[key] === word))
    .reduce((sum, { value }) => sum + value, 0)
}
