/** The map itself: points, names of regions, and a ring with a title around the one that is pointed at. */
import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { paletteOf, scaleOf } from './colours.js'
import { flyTo } from './flight.js'
import { createLabels } from './labels.js'
import { listen, zoomBy } from './moves.js'
import { createRenderer } from './renderer.js'
import { mapView, found, pointed, view } from './state.js'
import { openWork, workHref } from './work-link.js'
import { titleIn, type Points } from './points.js'
import { toPixels, viewOf, type Size, type View } from './view.js'

/** One does not come nearer by oneself than this. */
const nearestZoom = 9
/** Results whose places a search shows. */
const shownResults = 12

export function Plane({ points }: { readonly points: Points }) {
  const plane = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const mark = useRef<HTMLDivElement>(null)
  const [canDraw, setCanDraw] = useState(true)
  // A lost device comes back empty: everything is handed to it again.
  const [device, setDevice] = useState(0)

  useEffect(() => {
    const [element, surface, names, ring] = [plane, canvas, layer, mark].map((ref) => ref.current)
    if (!(element && surface instanceof HTMLCanvasElement && names && ring)) return
    const renderer = createRenderer(surface)
    setCanDraw(renderer !== undefined)
    if (renderer === undefined) return
    let size: Size = { width: element.clientWidth, height: element.clientHeight }
    const label = createLabels(names, points)
    let lit: Uint8Array | undefined
    let frame = 0
    view.value = allOf(points, size)
    const draw = () => {
      frame = 0
      performance.mark('map-draw')
      renderer.draw(view.peek(), size)
      label(view.peek(), size)
      placeMark(ring, points, size)
      performance.measure('map-draw', 'map-draw')
    }
    const drawSoon = () => (frame ||= requestAnimationFrame(draw))
    renderer.setPlaces(points.places)
    const colour = () => {
      const scale = scaleOf(points.data, mapView.value.by)
      renderer.setColours(scale.numbers)
      renderer.setPalette(paletteOf(scale))
      drawSoon()
    }
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => colour()
    scheme.addEventListener('change', recolour)
    const observer = new ResizeObserver(() => {
      size = { width: element.clientWidth, height: element.clientHeight }
      drawSoon()
    })
    observer.observe(element)
    const ends = [
      effect(colour),
      effect(() => {
        lit = found.value && litOf(found.value.works, points.count)
        renderer.setLit(lit)
        const works = found.value?.works.slice(0, shownResults) ?? []
        if (works.length > 0) flyTo(viewOf(works.map(placeOf(points)), size, nearestZoom))
        drawSoon()
      }),
      effect(() => {
        const work = mapView.value.work === undefined ? undefined : points.find(mapView.value.work)
        if (work === undefined) return
        pointed.value = work
        flyTo(viewOf([placeOf(points)(work)], size, nearestZoom))
      }),
      view.subscribe(drawSoon),
      pointed.subscribe(drawSoon),
      listen({
        element,
        points,
        size: () => size,
        isShown: (at) => lit === undefined || lit[at] === 1,
        open: (at) => openWork(points, at),
        showAll: () => flyTo(allOf(points, size)),
      }),
    ]
    const lose = (event: Event) => event.preventDefault()
    const restore = () => setDevice((count) => count + 1)
    surface.addEventListener('webglcontextlost', lose)
    surface.addEventListener('webglcontextrestored', restore)
    return () => {
      for (const end of ends) end()
      observer.disconnect()
      cancelAnimationFrame(frame)
      scheme.removeEventListener('change', recolour)
      surface.removeEventListener('webglcontextlost', lose)
      surface.removeEventListener('webglcontextrestored', restore)
    }
  }, [points, device])

  const { dataset } = points.data
  const size = () => {
    const { clientWidth: width = 1, clientHeight: height = 1 } = plane.current ?? {}
    return { width, height }
  }
  return (
    <div class="plane-frame">
      <div
        class="plane"
        ref={plane}
        role="group"
        tabIndex={0}
        aria-label={`Map of ${points.count.toLocaleString('en')} ${dataset}`}
        aria-describedby="map-keys"
      >
        <canvas ref={canvas} aria-hidden="true" />
        <div class="regions" ref={layer} aria-hidden="true" />
        <div class="mark" ref={mark} hidden>
          <i />
          <Tip points={points} />
        </div>
      </div>
      {!canDraw && (
        <p class="no-device" role="alert">
          This browser has no WebGL, so the points cannot be drawn. The list names the works.
        </p>
      )}
      <p class="hidden" id="map-keys">
        Arrow keys move the map, plus and minus zoom, 0 shows everything. The list after the map
        names what is in view.
      </p>
      <div class="zoom" role="group" aria-label="Zoom">
        <button type="button" aria-label="Zoom in" onClick={() => zoomBy(1.8, size(), points)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoomBy(1 / 1.8, size(), points)}>
          −
        </button>
        <button type="button" aria-label="Show all" onClick={() => flyTo(allOf(points, size()))}>
          ⤢
        </button>
      </div>
    </div>
  )
}

/** The title of what is pointed at. A finger opens the work by it. */
function Tip({ points }: { readonly points: Points }) {
  const at = pointed.value
  if (at === undefined) return null
  const { year } = points.data.works
  return (
    <a href={workHref(points, at)} tabIndex={-1}>
      <bdi>{titleIn(points, at, mapView.value.titles)}</bdi>
      {(year[at] ?? 0) > 0 && <span> {year[at]}</span>}
    </a>
  )
}

function placeMark(mark: HTMLElement, points: Points, size: Size): void {
  const at = pointed.peek()
  mark.hidden = at === undefined
  if (at === undefined) return
  const [x, y] = toPixels(view.peek(), size, ...placeOf(points)(at))
  mark.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
  mark.classList.toggle('flipped', x > size.width / 2)
}

/** All of the map. */
function allOf({ bounds: [left, top, right, bottom] }: Points, size: Size): View {
  return viewOf(
    [
      [left, top],
      [right, bottom],
    ],
    size,
    nearestZoom,
    1.12,
  )
}

const placeOf =
  ({ places }: Points) =>
  (at: number): [number, number] => [places[2 * at] ?? 0, places[2 * at + 1] ?? 0]

function litOf(works: readonly number[], count: number): Uint8Array {
  const lit = new Uint8Array(count)
  for (const at of works) lit[at] = 1
  return lit
}
