/** Names of regions over the points: as many as have room, each once, those of large regions first. */
import type { MapData } from '../lib/types.js'
import type { Points } from './points.js'
import { toPixels, unitOf, type Size, type View } from './view.js'

type Region = MapData['regions'][number]

/** Pixels of the whole map from which the names of a level are shown. */
const widths = [0, 1100, 2800]
const letterWidth = 7.4
const lineHeight = 20
/** A name is above the middle of its region, where its points are densest. */
const aboveCentre = 16

interface Shown {
  readonly region: Region
  readonly element: HTMLElement
}

/** @param layer its children are the names; it lies exactly over the points */
export function createLabels(layer: HTMLElement, { bounds, data: { regions, extent } }: Points) {
  let shownFor = ''
  let shown: readonly Shown[] = []

  /** No name ends outside of the map, where it would be cut. */
  function placeOf({ x, y }: Pick<Region, 'x' | 'y'>, half: number, unit: number) {
    const [left, , right] = bounds.map((bound) => bound * unit)
    const px = Math.max((left ?? 0) + half, Math.min((right ?? 0) - half, (x / extent) * unit))
    return [px, (y / extent) * unit - aboveCentre] as const
  }

  function choose(view: View, size: Size): void {
    const unit = unitOf(view, size)
    const level = widths.filter((width) => unit >= width).length - 1
    const deepest = Math.max(0, ...regions.map((region) => region.level))
    const boxes: (readonly [number, number, number, number])[] = []
    const names = new Set<string>()
    const chosen = regions
      .filter((region) => region.level === Math.min(level, deepest))
      .sort((one, other) => other.works - one.works)
      .filter(({ x, y, words }) => {
        const half = halfOf({ words })
        const [px, py] = placeOf({ x, y }, half, unit)
        const box = [px - half, py - lineHeight / 2, px + half, py + lineHeight / 2] as const
        const name = nameOf({ words })
        if (names.has(name) || boxes.some((other) => overlap(box, other))) return false
        names.add(name)
        boxes.push(box)
        return true
      })
    shown = chosen.map((region) => {
      const element = document.createElement('span')
      element.textContent = nameOf(region)
      return { region, element }
    })
    layer.replaceChildren(...shown.map(({ element }) => element))
    for (const { region, element } of shown) {
      const [px, py] = placeOf(region, halfOf(region), unit)
      element.style.transform = `translate(${px.toFixed(1)}px, ${py.toFixed(1)}px) translate(-50%, -50%)`
    }
  }

  return (view: View, size: Size): void => {
    const key = `${view.zoom.toFixed(4)} ${size.width} ${size.height}`
    if (key !== shownFor) choose(view, size)
    shownFor = key
    const [left, top] = toPixels(view, size, 0, 0)
    layer.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`
  }
}

const nameOf = ({ words }: Pick<Region, 'words'>): string => words.join(' · ')

const halfOf = ({ words }: Pick<Region, 'words'>) =>
  (nameOf({ words }).length * letterWidth) / 2 + 6

const overlap = (
  [left, top, right, bottom]: readonly [number, number, number, number],
  [left2, top2, right2, bottom2]: readonly [number, number, number, number],
) => left < right2 && right > left2 && top < bottom2 && bottom > top2
