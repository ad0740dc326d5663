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

/**
 * The same catalogue with the same rows, but without the column in texts and full-text search. Full-text search
 * skips entries with no other text, by their titles, too: bm25 would prefer them, because a title alone is a short
 * document. Owns the whole catalogue.
 */
export function withoutColumn(
  whole: Catalogue,
  { dataset: name, column }: DatasetColumn,
): Catalogue {
  const contents = readContents(whole, name)
  if (contents === undefined) throw new DatasetMissingError(name)
  const columns = contents.columns.toSpliced(column, 1)
  function* rows({ rows: all }: DatasetContents): Iterable<CatalogueRow> {
    for (const entry of all) {
      const texts = entry.texts.toSpliced(column, 1)
      const rest = { ...entry, texts }
      yield texts.some((text) => text !== null) ? rest : withoutTitles(rest)
    }
  }
  const rest = openTemporary({ name, columns, rows: rows(contents) })
  const of = (dataset: string) => (dataset === name ? rest : whole)
  return {
    ...whole,
    text: (dataset, row, position) =>
      dataset === name && position === column ? null : whole.text(dataset, row, position),
    lexical: (dataset, ...request) => of(dataset).lexical(dataset, ...request),
    lexicalScores: (dataset, ...request) => of(dataset).lexicalScores(dataset, ...request),
    stemsOf: (dataset, query) => of(dataset).stemsOf(dataset, query),
    rowPasses: (dataset) => of(dataset).rowPasses(dataset),
    rowsWith: (dataset, query) => of(dataset).rowsWith(dataset, query),
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

function withoutTitles({ facts, ...entry }: CatalogueRow): CatalogueRow {
  return { ...entry, title: '', ...(facts && { facts: { ...facts, otherTitles: [] } }) }
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
