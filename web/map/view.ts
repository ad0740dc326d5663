/** Which part of the map is shown. Places lie from 0 to 1 in both directions. */

export interface View {
  /** The place in the middle. */
  readonly x: number
  readonly y: number
  /** 1 shows the whole square. */
  readonly zoom: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const whole: View = { x: 0.5, y: 0.5, zoom: 1 }
const maxZoom = 80
/** Room around the map, as a part of it. */
const margin = 0.97

/** Pixels that the whole map is wide. */
export const unitOf = ({ zoom }: View, { width, height }: Size): number =>
  Math.min(width, height) * margin * zoom

export function toPixels(view: View, size: Size, x: number, y: number): [number, number] {
  const unit = unitOf(view, size)
  return [size.width / 2 + (x - view.x) * unit, size.height / 2 + (y - view.y) * unit]
}

export function toPlace(view: View, size: Size, px: number, py: number): [number, number] {
  const unit = unitOf(view, size)
  return [view.x + (px - size.width / 2) / unit, view.y + (py - size.height / 2) / unit]
}

const clampView = ({ x, y, zoom }: View): View => ({
  x: Math.min(1, Math.max(0, x)),
  y: Math.min(1, Math.max(0, y)),
  zoom: Math.min(maxZoom, Math.max(1, zoom)),
})

export function panned(view: View, size: Size, dx: number, dy: number): View {
  const unit = unitOf(view, size)
  return clampView({ ...view, x: view.x - dx / unit, y: view.y - dy / unit })
}

/** Zooms by a factor; the place under the pixel stays there. */
export function zoomedAt(view: View, size: Size, factor: number, px: number, py: number): View {
  const [x, y] = toPlace(view, size, px, py)
  const { zoom } = clampView({ ...view, zoom: view.zoom * factor })
  const change = view.zoom / zoom
  return clampView({ zoom, x: x + (view.x - x) * change, y: y + (view.y - y) * change })
}

/** Pixels around a place that is brought into view. */
const edge = 40

/** Moves the view as little as shows a place. */
export function showing(view: View, size: Size, [x, y]: readonly [number, number]): View {
  const unit = unitOf(view, size)
  const half = (pixels: number) => Math.max(0, pixels / 2 - edge) / unit
  const near = (from: number, to: number, most: number) =>
    Math.min(to + most, Math.max(to - most, from))
  return {
    ...view,
    x: near(view.x, x, half(size.width)),
    y: near(view.y, y, half(size.height)),
  }
}

/** The view that shows all of some places, never nearer than `nearest`, with `room` around them. */
export function viewOf(
  places: readonly (readonly [number, number])[],
  size: Size,
  nearest: number,
  room = 1.3,
): View {
  if (places.length === 0) return whole
  const [left, right] = rangeOf(places.map(([x]) => x))
  const [top, bottom] = rangeOf(places.map(([, y]) => y))
  const unit = unitOf(whole, size)
  const zoom = Math.min(
    size.width / unit / Math.max(1e-6, room * (right - left)),
    size.height / unit / Math.max(1e-6, room * (bottom - top)),
    nearest,
  )
  return clampView({ x: (left + right) / 2, y: (top + bottom) / 2, zoom })
}

const rangeOf = (values: readonly number[]): [number, number] => [
  Math.min(...values),
  Math.max(...values),
]

/** Between two views: 0 is the one, 1 the other. */
export function between(from: View, to: View, share: number): View {
  const mix = (a: number, b: number) => a + (b - a) * share
  const zoom = from.zoom * (to.zoom / from.zoom) ** share
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), zoom }
}
