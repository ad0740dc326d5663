/** The works of a map, with a grid by which the nearest to a place is found at once. */
import type { TitleLanguage } from '../lib/query.js'
import type { MapData } from '../lib/types.js'

export interface Points {
  readonly data: MapData
  readonly count: number
  /** Two coordinates a work, from 0 to 1. */
  readonly places: Float32Array
  /** Left, top, right and bottom of all of them. */
  readonly bounds: readonly [number, number, number, number]
  /** The work nearest to a place and no farther than `within`. */
  nearest(
    x: number,
    y: number,
    within: number,
    isShown?: (at: number) => boolean,
  ): number | undefined
  /** The work of an id. */
  find(id: number): number | undefined
}

/** The title of a work in a language; its main title where it has none. */
export function titleIn({ data: { works } }: Points, at: number, language: TitleLanguage): string {
  const other = language === 'romaji' ? '' : (works[language][at] ?? '')
  return other === '' ? (works.title[at] ?? '') : other
}

const cellsAcross = 128

export function createPoints(data: MapData): Points {
  const { x, y, id } = data.works
  const count = id.length
  const places = new Float32Array(2 * count)
  for (let at = 0; at < count; at++) {
    places[2 * at] = (x[at] ?? 0) / data.extent
    places[2 * at + 1] = (y[at] ?? 0) / data.extent
  }
  const bounds = boundsOf(places)
  const cellOf = (value: number) =>
    Math.min(cellsAcross - 1, Math.max(0, Math.floor(value * cellsAcross)))
  const cellAt = (at: number) =>
    cellOf(places[2 * at + 1] ?? 0) * cellsAcross + cellOf(places[2 * at] ?? 0)
  // Works sorted by cell, and where each cell begins.
  const begins = new Uint32Array(cellsAcross ** 2 + 1)
  for (let at = 0; at < count; at++) begins[cellAt(at) + 1] = (begins[cellAt(at) + 1] ?? 0) + 1
  for (let cell = 0; cell < cellsAcross ** 2; cell++)
    begins[cell + 1] = (begins[cell + 1] ?? 0) + (begins[cell] ?? 0)
  const sorted = new Uint32Array(count)
  const next = begins.slice()
  for (let at = 0; at < count; at++) {
    const cell = cellAt(at)
    sorted[next[cell] ?? 0] = at
    next[cell] = (next[cell] ?? 0) + 1
  }
  const byId = new Map(id.map((one, at) => [one, at]))

  return {
    data,
    count,
    places,
    bounds,
    find: (one) => byId.get(one),
    nearest(px, py, within, isShown = () => true) {
      let best: number | undefined
      let bestSquare = within * within
      for (let row = cellOf(py - within); row <= cellOf(py + within); row++) {
        const from = begins[row * cellsAcross + cellOf(px - within)] ?? 0
        const to = begins[row * cellsAcross + cellOf(px + within) + 1] ?? 0
        for (let i = from; i < to; i++) {
          const at = sorted[i] ?? 0
          const dx = (places[2 * at] ?? 0) - px
          const dy = (places[2 * at + 1] ?? 0) - py
          const square = dx * dx + dy * dy
          if (square >= bestSquare || !isShown(at)) continue
          best = at
          bestSquare = square
        }
      }
      return best
    },
  }
}

function boundsOf(places: Float32Array): Points['bounds'] {
  const bounds: [number, number, number, number] = [1, 1, 0, 0]
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at] ?? 0, places[at + 1] ?? 0]
    bounds[0] = Math.min(bounds[0], x)
    bounds[1] = Math.min(bounds[1], y)
    bounds[2] = Math.max(bounds[2], x)
    bounds[3] = Math.max(bounds[3], y)
  }
  return places.length === 0 ? [0, 0, 1, 1] : bounds
}
