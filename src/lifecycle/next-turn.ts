/**
 * Turns at the JavaScript thread. Searches that shared a sweep come back from it together; if each went
 * on at once, whoever asks for something small would wait for all of them. So one goes on between two
 * looks at the sockets, in the order in which they came.
 */
const waiting: (() => void)[] = []

/** Resolves in an iteration of the event loop that no other caller shares. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(give)
  })
}

/** An immediate that is set by another one runs in the next iteration. */
function give(): void {
  waiting[0]?.()
  waiting.shift()
  if (waiting.length > 0) setImmediate(give)
}
