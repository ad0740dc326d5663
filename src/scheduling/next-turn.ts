/**
 * Turns at the JavaScript thread. Those who go on all at once make whoever asks for something small wait
 * for all of them. So they go on between two looks at the sockets, a few at a time, in the order in which
 * they came.
 */

/** Resolves in an iteration of the event loop in which those before have left time. */
export type NextTurn = () => Promise<void>

/** However short what they do is; more calls that come too late would cost time themselves. */
const mostATurn = 16

/**
 * @param turnMs Nobody else goes on in an iteration in which others have for so long; with 0 one does.
 *   Each look at the sockets has its price, so turns that are too short cost throughput.
 */
export function createTurns(turnMs: number): NextTurn {
  const waiting: (() => void)[] = []
  /** Calls of `give` to come in this iteration or the next. */
  let left = 0
  /** Known from the first call of an iteration to the last. */
  let endsMs: number | undefined

  /** An immediate each, for Node runs all that follows from one before it runs the next. */
  function begin(count: number): void {
    left += count
    for (let i = 0; i < count; i++) setImmediate(give)
  }

  function give(): void {
    const nowMs = performance.now()
    if (endsMs === undefined || nowMs < endsMs) waiting.shift()?.()
    endsMs ??= nowMs + turnMs
    left -= 1
    if (left > 0) return
    endsMs = undefined
    // What is set by an immediate runs in the next iteration.
    begin(Math.min(waiting.length, mostATurn))
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (endsMs === undefined && left < mostATurn) begin(1)
    })
}

/**
 * For searches that shared a scan and come back from it together, one an iteration: what follows may take
 * a millisecond of each.
 */
export const nextTurn = createTurns(0)
