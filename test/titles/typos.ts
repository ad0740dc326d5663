/** Titles of the tests, and every typo that a finger makes. */
import { createTitleIndex, type TitleIndex } from '#synoptic/data/titles/title-index.js'
import type { Title, TitleKind } from '#synoptic/data/titles/title.js'

type TitleOfRow = string | readonly [TitleKind, string]

/** Each argument is a row: its main title first, then others with their kinds. */
function titlesOf(...rows: readonly (readonly TitleOfRow[])[]): Title[] {
  return rows.flatMap((titles, row) =>
    titles.map((title): Title => {
      const [kind, text] = typeof title === 'string' ? (['main', title] as const) : title
      return { row, text, kind }
    }),
  )
}

export function indexOf(...rows: readonly (readonly TitleOfRow[])[]): TitleIndex {
  return createTitleIndex(titlesOf(...rows))
}

/** One of each kind at each position: a letter left in, left out, replaced, and swapped with the next. */
export function everyTypo(text: string, letter = 'q'): string[] {
  const typos: string[] = []
  for (let at = 0; at <= text.length; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at)]
    typos.push(before + letter + after)
    if (after.length > 0) typos.push(before + after.slice(1), before + letter + after.slice(1))
    if (after.length > 1) typos.push(before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2))
  }
  return typos
}
