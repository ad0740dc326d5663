/** Folders, mappings and files of the import's tests. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Catalogue, DatasetName, Entry } from '#synoptic/data/catalogue/catalogue.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { importDatasets, type ImportSummary } from '#synoptic/data/datasets/import.js'
import { afterAll, beforeEach } from 'vitest'

export const fixtures = fileURLToPath(new URL('../fixtures/data', import.meta.url))

export interface Workshop {
  /** A new empty folder for each test. */
  readonly folder: string
  readonly catalogue: string
  /** Writes a file and answers its path; an object becomes JSON. */
  write(name: string, content: string | Uint8Array | object): string
  import(...mappings: readonly string[]): Promise<ImportSummary>
  /** Opens the catalogue for one action. */
  read<T>(action: (catalogue: Catalogue) => T): T
  entries(dataset: DatasetName): (Entry & { texts: (string | null)[] })[]
}

export function useWorkshop(): Workshop {
  const root = mkdtempSync(join(tmpdir(), 'synoptic-data-'))
  let folder = root
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'test-'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const path = () => join(folder, 'catalogue.sqlite')
  const read = <T>(action: (catalogue: Catalogue) => T): T => {
    const catalogue = openCatalogue(path())
    try {
      return action(catalogue)
    } finally {
      catalogue.close()
    }
  }
  return {
    get folder() {
      return folder
    },
    get catalogue() {
      return path()
    },
    write: (name, content) => {
      const isText = typeof content === 'string' || content instanceof Uint8Array
      writeFileSync(join(folder, name), isText ? content : JSON.stringify(content))
      return join(folder, name)
    },
    import: (...mappings) => importDatasets(mappings, { into: path() }),
    read,
    entries: (dataset) => read((catalogue) => entriesOf(catalogue, dataset)),
  }
}

export function entriesOf(catalogue: Catalogue, dataset: DatasetName) {
  const info = catalogue.dataset(dataset)
  return Array.from({ length: info?.rows ?? 0 }, (_, row) => ({
    ...catalogue.entry(dataset, row),
    texts: (info?.columns ?? []).map((_, column) => catalogue.text(dataset, row, column)),
  }))
}

/** A mapping of a file `<name>.jsonl` with id, title, type, year, genres and text. */
export function jsonlMapping(name: string, changes: object = {}) {
  return {
    dataset: 'anime',
    file: `${name}.jsonl`,
    format: 'jsonl',
    fields: { id: 'id', title: 'title' },
    texts: { [`Synopsis ${name}`]: 'text' },
    ...changes,
  }
}

/** Names of a catalogue's files in a folder, without the versions in them. */
export const catalogueFiles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('catalogue'))
    .map((name) => name.replace(/-[0-9a-f]{16}\.rows$/, '.rows'))
    .sort()

/** Those of one dataset, when nothing is left aside. */
export const filesOfOne = (dataset: string): readonly string[] =>
  ['catalogue.sqlite', `catalogue.sqlite.${dataset}.rows`, 'catalogue.sqlite.lock'].sort()

export function lines(...rows: readonly object[]): string {
  return rows.map((row) => JSON.stringify(row) + '\n').join('')
}
