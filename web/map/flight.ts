/** Moves the view by itself: in a short flight, or at once for people who want less motion. */
import { view } from './state.js'
import { between, type View } from './view.js'

const flightMs = 450
let frame = 0

export function flyTo(to: View): void {
  land()
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    view.value = to
    return
  }
  // An effect that flies must not run again with every view of its own flight.
  const from = view.peek()
  const begunMs = performance.now()
  const step = (nowMs: number) => {
    const share = Math.min(1, Math.max(0, (nowMs - begunMs) / flightMs))
    view.value = between(from, to, 1 - (1 - share) ** 3)
    if (share < 1) frame = requestAnimationFrame(step)
  }
  frame = requestAnimationFrame(step)
}

/** Ends a flight where it is. */
export function land(): void {
  cancelAnimationFrame(frame)
}
