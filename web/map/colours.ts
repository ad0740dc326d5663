/** What colours the points: families of tags or years. The colours themselves are those of the style sheet. */
import type { MapData } from '../lib/types.js'

export type ColourBy = 'family' | 'year'

/** Numbers of the palette that the points may have. */
export const paletteSize = 16
const unknown = paletteSize - 1

export interface Scale {
  /** Number in the palette, a work. */
  readonly numbers: Uint8Array
  /** Names of style sheet variables by number; between two of them the palette fades. */
  readonly stops: readonly { readonly at: number; readonly variable: string }[]
  readonly legend: readonly { readonly variable: string; readonly label: string }[]
}

/** Fewer works are older than that. */
const oldShare = 0.02

export function scaleOf({ works, families }: MapData, by: ColourBy): Scale {
  if (by === 'family') {
    const stops = families.map((name, at) => ({ at, variable: `--${name}-ink` }))
    const legend = families.map((name) => ({ variable: `--${name}-ink`, label: name }))
    return { numbers: Uint8Array.from(works.family), stops, legend }
  }
  const known = works.year.filter((year) => year > 0).sort((a, b) => a - b)
  const first = known[Math.floor(known.length * oldShare)] ?? 2000
  const last = known.at(-1) ?? first
  const steps = unknown - 1
  const numbers = Uint8Array.from(works.year, (year) => {
    if (year === 0) return unknown
    const share = Math.max(0, (year - first) / Math.max(1, last - first))
    return Math.round(share * steps)
  })
  const ramp = ['--year-old', '--year-middle', '--year-new']
  const labels = [`${first} and before`, String(Math.round((first + last) / 2)), String(last)]
  return {
    numbers,
    stops: [
      ...ramp.map((variable, i) => ({ at: (i * steps) / (ramp.length - 1), variable })),
      { at: unknown, variable: '--year-unknown' },
    ],
    legend: [
      ...ramp.map((variable, i) => ({ variable, label: labels[i] ?? '' })),
      ...(works.year.includes(0) ? [{ variable: '--year-unknown', label: 'year unknown' }] : []),
    ],
  }
}

/** Red, green and blue from 0 to 1 of each number, as the style sheet says now. */
export function paletteOf({ stops }: Scale): Float32Array {
  const style = getComputedStyle(document.documentElement)
  const colours = stops.map(({ at, variable }) => ({
    at,
    rgb: channelsOf(style.getPropertyValue(variable).trim()),
  }))
  const palette = new Float32Array(3 * paletteSize)
  for (let number = 0; number < paletteSize; number++) {
    const after = colours.find(({ at }) => at >= number) ?? colours.at(-1)
    const before = colours.findLast(({ at }) => at <= number) ?? after
    if (after === undefined || before === undefined) continue
    const share = after.at === before.at ? 0 : (number - before.at) / (after.at - before.at)
    for (let i = 0; i < 3; i++) {
      const from = before.rgb[i] ?? 0
      palette[3 * number + i] = from + ((after.rgb[i] ?? 0) - from) * share
    }
  }
  return palette
}

/** Of `#rrggbb`. */
const channelsOf = (colour: string) =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
