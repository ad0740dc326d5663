/** What the metrics were in the last five minutes, so that a page that is opened now shows them at once. */

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly metrics: string
}

const everyMs = 15_000
const windowMs = 5 * 60_000

/** By the function that reads the metrics of a server: a reload keeps it. */
const histories = new WeakMap<() => Promise<string>, readonly Moment[]>()

/**
 * Begins to note the metrics, if that has not begun. The timer keeps no process alive.
 * @returns the moments so far, the oldest first
 */
export function statusHistory(
  metricsText: () => Promise<string>,
  shown: (text: string) => string,
): () => readonly Moment[] {
  const moments = () => histories.get(metricsText) ?? []
  if (!histories.has(metricsText)) {
    histories.set(metricsText, [])
    const note = async () => {
      const at = Date.now()
      const metrics = shown(await metricsText())
      histories.set(metricsText, [
        ...moments().filter((one) => one.at > at - windowMs),
        { at, metrics },
      ])
    }
    // A worker whose primary is leaving reads no metrics; the next moment has them.
    setInterval(() => void note().catch(() => undefined), everyMs).unref()
    void note().catch(() => undefined)
  }
  return moments
}
