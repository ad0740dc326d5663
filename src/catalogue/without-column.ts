/**
 * A dataset as it would be without one of its columns. The full-text index holds what a stem adds over
 * all texts of a row, from which no column can be taken out again: a small catalogue of the rest is
 * built aside, by the code of the import.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatasetMissingError } from '../errors/dataset-missing-error.js'
import { buildCatalogue } from './build-catalogue.js'
import type { Catalogue, DatasetColumn } from './catalogue.js'
import { type CatalogueRow, type DatasetContents, readContents } from './contents.js'
import { openCatalogue } from './open-catalogue.js'
import { maskOf, passes } from '../util/row-mask.js'

/**
 * The same catalogue, rows as they are, whose texts and full-text search know nothing of the column.
 * Entries that have a text in no other column are not found: with their title alone they would be
 * short documents, which bm25 prefers. Owns the whole catalogue.
 */
export function withoutColumn(
  whole: Catalogue,
  { dataset: name, column }: DatasetColumn,
): Catalogue {
  const contents = readContents(whole, name)
  if (contents === undefined) throw new DatasetMissingError(name)
  const columns = contents.columns.toSpliced(column, 1)
  const wholeRows: number[] = []
  function* rows({ rows: all }: DatasetContents): Iterable<CatalogueRow> {
    let row = 0
    for (const entry of all) {
      const texts = entry.texts.toSpliced(column, 1)
      if (texts.some((text) => text !== null)) {
        wholeRows.push(row)
        yield { ...entry, texts }
      }
      row += 1
    }
  }
  const rest = openAside({ name, columns, rows: rows(contents) })
  const ownRows = new Map(wholeRows.map((wholeRow, row) => [wholeRow, row]))
  return {
    ...whole,
    text: (dataset, row, position) =>
      dataset === name && position === column ? null : whole.text(dataset, row, position),
    lexical(dataset, query, limit, mask) {
      if (dataset !== name) return whole.lexical(dataset, query, limit, mask)
      const passing = [...ownRows].filter(([row]) => mask === undefined || passes(mask, row))
      const ownMask = maskOf(
        wholeRows.length,
        passing.map(([, row]) => row),
      )
      const hits = rest.lexical(name, query, limit, ownMask)
      return hits.map(({ row, score }) => ({ row: wholeRows[row] ?? 0, score }))
    },
    lexicalScores(dataset, query, asked) {
      if (dataset !== name) return whole.lexicalScores(dataset, query, asked)
      const own = Uint32Array.from(asked, (row) => ownRows.get(row) ?? 0)
      const scores = rest.lexicalScores(name, query, own)
      return scores.map((score, position) => (ownRows.has(asked[position] ?? 0) ? score : 0))
    },
    close() {
      rest.close()
      whole.close()
    },
  }
}

/** The file is removed as soon as it is open: nothing is left behind, however the program ends. */
function openAside(contents: DatasetContents): Catalogue {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-'))
  try {
    const file = join(folder, 'catalogue.sqlite')
    buildCatalogue(file, [contents])
    return openCatalogue(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
