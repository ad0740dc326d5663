/** MRR@10 of every system as a dot with its interval, one panel a set of queries: an SVG by hand. */
import { counted } from '../../base/util/counted.js'
import type { MeasuredSet } from './report.js'
import { type Mode, systemName } from './systems.js'

const labelWidth = 420
const plotWidth = 480
const rowHeight = 22
const titleHeight = 36
const axisHeight = 34
const margin = 16
const colours: Readonly<Record<Mode, string>> = {
  semantic: '#3a7ca5',
  lexical: '#e09f3e',
  hybrid: '#1b4965',
}

export function plotSets(sets: readonly MeasuredSet[]): string {
  const shown = sets.filter(({ queries }) => queries > 0)
  let top = margin
  const panels = shown.map((set) => {
    const panel = panelOf(set, top)
    top += heightOf(set)
    return panel
  })
  const width = labelWidth + plotWidth + 4 * margin
  const open =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top + margin}" ` +
    `font-family="sans-serif" font-size="12">`
  return [
    open,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...panels.flat(),
    '</svg>',
    '',
  ].join('\n')
}

const heightOf = ({ systems }: MeasuredSet) => titleHeight + systems.length * rowHeight + axisHeight

function panelOf({ name, queries, systems }: MeasuredSet, top: number): string[] {
  const title = `${name}: MRR@10 of ${counted(queries, 'query', 'queries')}, with 95 % intervals`
  const parts = [text(margin, top + 18, title, 'font-size="14"')]
  const first = top + titleHeight
  const bottom = first + systems.length * rowHeight
  for (const tick of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    parts.push(
      line(x(tick), first, x(tick), bottom, '#ddd'),
      text(x(tick), bottom + 16, tick.toFixed(1), 'text-anchor="middle"'),
    )
  }
  systems.forEach((system, position) => {
    const { value, low, high } = system.mrrAt10
    const y = first + (position + 0.5) * rowHeight
    const colour = colours[system.mode]
    parts.push(
      text(margin + labelWidth - 8, y + 4, systemName(system), 'text-anchor="end"'),
      line(x(low), y, x(high), y, colour, 'stroke-width="2"'),
      `<circle cx="${x(value)}" cy="${y}" r="4.5" fill="${colour}"/>`,
      text(x(high) + 6, y + 4, value.toFixed(3), ''),
    )
  })
  return parts
}

/** To the hundredth of a pixel, which is all that a plot shows. */
const x = (share: number) => Math.round((margin + labelWidth + share * plotWidth) * 100) / 100

const line = (x1: number, y1: number, x2: number, y2: number, colour: string, more = '') =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" ${more}/>`

const text = (left: number, baseline: number, content: string, more: string) =>
  `<text x="${left}" y="${baseline}" ${more}>${escape(content)}</text>`

const escape = (content: string) =>
  content.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
