/**
 * A dataset without one of its columns. The full-text index sums over all texts of a row, so a column cannot be
 * subtracted from it. The import's code builds a temporary catalogue of the other columns instead.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatasetMissingError } from '../../base/errors/index.js'
import { buildCatalogue } from './build-catalogue.js'
import type { Catalogue, DatasetColumn } from './catalogue.js'
import type { CatalogueRow } from './catalogue-row.js'
import { type DatasetContents, readContents } from './contents.js'
import { openCatalogue } from './open-catalogue.js'
import { maskOf, passes } from '../../base/util/row-mask.js'

/**
 * The same catalogue with the same rows, but without the column in texts and full-text search. Full-text search
 * skips entries with no other text: bm25 would prefer them, because a title alone is a short document. Owns the
 * whole catalogue.
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
  const rest = openTemporary({ name, columns, rows: rows(contents) })
  const ownRows = new Map(wholeRows.map((wholeRow, row) => [wholeRow, row]))
  return {
    ...whole,
    text: (dataset, row, position) =>
      dataset === name && position === column ? null : whole.text(dataset, row, position),
    async lexical(dataset, query, limit, mask) {
      if (dataset !== name) return whole.lexical(dataset, query, limit, mask)
      const passing = [...ownRows].filter(([row]) => mask === undefined || passes(mask, row))
      const ownMask = maskOf(
        wholeRows.length,
        passing.map(([, row]) => row),
      )
      const hits = await rest.lexical(name, query, limit, ownMask)
      return hits.map(({ row, score }) => ({ row: wholeRows[row] ?? 0, score }))
    },
    async lexicalScores(dataset, query, rows) {
      if (dataset !== name) return whole.lexicalScores(dataset, query, rows)
      const own = Uint32Array.from(rows, (row) => ownRows.get(row) ?? 0)
      const scores = await rest.lexicalScores(name, query, own)
      return scores.map((score, position) => (ownRows.has(rows[position] ?? 0) ? score : 0))
    },
    rowsWith(dataset, query) {
      if (dataset !== name) return whole.rowsWith(dataset, query)
      return rest.rowsWith(name, query).map((row) => wholeRows[row] ?? 0)
    },
    openRowIndex(dataset) {
      if (dataset !== name) whole.openRowIndex(dataset)
    },
    buildRowIndex: () => undefined,
    close() {
      rest.close()
      whole.close()
    },
  }
}

/** Removes the file as soon as it is open, so that nothing is left behind. */
function openTemporary(contents: DatasetContents): Catalogue {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-'))
  try {
    const file = join(folder, 'catalogue.sqlite')
    buildCatalogue(file, [contents])
    const catalogue = openCatalogue(file)
    catalogue.openRowIndex(contents.name)
    return catalogue
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
