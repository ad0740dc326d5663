/** Hands on the map: drag, wheel, pinch and keys move it; a click on a point opens its work. */
import { pointed, view } from './state.js'
import { flyTo, land } from './flight.js'
import { panned, showing, toPlace, unitOf, zoomedAt, type Size, type View } from './view.js'
import type { Points } from './points.js'

export interface Plane {
  readonly element: HTMLElement
  readonly size: () => Size
  readonly points: Points
  readonly isShown: (at: number) => boolean
  /** A point was clicked. */
  readonly open: (at: number) => void
  readonly showAll: () => void
}

/** A click may move so far. */
const clickPixels = 5
/** A point may be missed by so much. */
const missPixels = { mouse: 10, touch: 22 }
const keyPixels = 80
const keyZoom = 1.5

export function listen(plane: Plane): () => void {
  const { element, size, points, isShown, open } = plane
  const held = new Map<number, { x: number; y: number }>()
  let moved = 0

  const at = (event: MouseEvent) => {
    const box = element.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const under = (event: PointerEvent) => {
    const { x, y } = at(event)
    const [px, py] = toPlace(view.value, size(), x, y)
    const miss = event.pointerType === 'touch' ? missPixels.touch : missPixels.mouse
    return points.nearest(px, py, miss / unitOf(view.value, size()), isShown)
  }

  function down(event: PointerEvent): void {
    if (event.button !== 0) return
    land()
    element.setPointerCapture(event.pointerId)
    held.set(event.pointerId, at(event))
    if (held.size === 1) moved = 0
  }

  function move(event: PointerEvent): void {
    const before = held.get(event.pointerId)
    if (before === undefined) {
      if (event.pointerType !== 'touch') pointed.value = under(event)
      return
    }
    const now = at(event)
    const [dx, dy] = [now.x - before.x, now.y - before.y]
    moved += Math.hypot(dx, dy)
    if (held.size === 1) view.value = panned(view.value, size(), dx, dy)
    if (held.size === 2) {
      const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, place]) => place)
      if (other !== undefined) pinch(before, now, other)
    }
    held.set(event.pointerId, now)
  }

  function pinch(before: Place, now: Place, other: Place): void {
    const apart = Math.hypot(before.x - other.x, before.y - other.y)
    const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, apart)
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
    const next = panned(view.value, size(), (now.x - before.x) / 2, (now.y - before.y) / 2)
    view.value = notEmpty(zoomedAt(next, size(), factor, middle.x, middle.y), size(), points)
  }

  function up(event: PointerEvent): void {
    if (!held.delete(event.pointerId) || moved > clickPixels || event.type === 'pointercancel')
      return
    const point = under(event)
    // A finger covers what it points at: the first touch shows the title, which is a link.
    if (event.pointerType === 'touch') pointed.value = point
    else if (point !== undefined) open(point)
  }

  function leave(event: PointerEvent): void {
    if (event.pointerType !== 'touch' && held.size === 0) pointed.value = undefined
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault()
    land()
    const { x, y } = at(event)
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1
    const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0018))
    view.value = notEmpty(zoomedAt(view.value, size(), factor, x, y), size(), points)
  }

  element.addEventListener('pointerdown', down)
  element.addEventListener('pointermove', move)
  element.addEventListener('pointerup', up)
  element.addEventListener('pointercancel', up)
  element.addEventListener('pointerleave', leave)
  element.addEventListener('wheel', wheel, { passive: false })
  const onKey = (event: KeyboardEvent) => key(event, plane)
  element.addEventListener('keydown', onKey)
  return () => {
    element.removeEventListener('pointerdown', down)
    element.removeEventListener('pointermove', move)
    element.removeEventListener('pointerup', up)
    element.removeEventListener('pointercancel', up)
    element.removeEventListener('pointerleave', leave)
    element.removeEventListener('wheel', wheel)
    element.removeEventListener('keydown', onKey)
  }
}

interface Place {
  readonly x: number
  readonly y: number
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [keyPixels, 0],
  ArrowRight: [-keyPixels, 0],
  ArrowUp: [0, keyPixels],
  ArrowDown: [0, -keyPixels],
}

function key(event: KeyboardEvent, { size: sizeOf, showAll, points }: Plane): void {
  const size = sizeOf()
  if (event.metaKey || event.ctrlKey || event.altKey) return
  const step = steps[event.key]
  if (step !== undefined) {
    land()
    view.value = panned(view.value, size, ...step)
  } else if (event.key === '+' || event.key === '=') zoomBy(keyZoom, size, points)
  else if (event.key === '-') zoomBy(1 / keyZoom, size, points)
  else if (event.key === '0') showAll()
  else return
  event.preventDefault()
}

export function zoomBy(factor: number, size: Size, points: Points): void {
  const next = zoomedAt(view.value, size, factor, size.width / 2, size.height / 2)
  flyTo(notEmpty(next, size, points))
}

/** Farther than the map is wide. */
const anywhere = 2

/** Moves a view that shows no work to the nearest one: who zooms into a gap would see nothing. */
function notEmpty(next: View, size: Size, points: Points): View {
  const near = points.nearest(next.x, next.y, anywhere)
  if (near === undefined) return next
  const { places } = points
  return showing(next, size, [places[2 * near] ?? 0, places[2 * near + 1] ?? 0])
}
