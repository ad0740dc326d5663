/** A catalogue of a few texts in the folder of a server, for tests that embed them with models of their own. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildCatalogue } from '#synoptic/data/catalogue/build-catalogue.js'

export const fewTexts = [
  'The students of a class have one year to kill their teacher, who is a yellow octopus.',
  'Two brothers search for a stone that gives back what they have lost.',
  'Humanity lives behind three walls, because titans eat whom they find.',
  'Girls drive tanks after school, and their school is a ship.',
]

/** It shares no important word with the text that it describes, the third. */
export const queryOfThird = 'the last people hide inside a fortress from man-eating giants'

/** Replaces the catalogue; the texts have the ids 1, 2, and so on. */
export function writeTexts(folder: string, texts: readonly string[] = fewTexts): void {
  const rows = texts.map((text, row) => ({
    id: row + 1,
    title: `Entry ${row + 1}`,
    type: null,
    year: null,
    score: null,
    genres: [],
    metadata: {},
    texts: [text],
  }))
  const file = join(folder, 'data', 'catalogue.sqlite')
  mkdirSync(join(folder, 'data'), { recursive: true })
  rmSync(file, { force: true })
  buildCatalogue(file, [{ name: 'anime', columns: ['synopsis'], rows }])
}
