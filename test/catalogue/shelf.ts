/** Small catalogues of seeded words, built without the import. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCatalogue } from '#synoptic/data/catalogue/build-catalogue.js'
import type { Entry } from '#synoptic/data/catalogue/catalogue.js'
import type { CatalogueRow } from '#synoptic/data/catalogue/catalogue-row.js'
import type { DatasetContents } from '#synoptic/data/catalogue/contents.js'
import { afterAll } from 'vitest'

export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-catalogue-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function build(file: string, ...datasets: readonly DatasetContents[]): void {
  buildCatalogue(file, datasets)
}

export function row(id: number, changes: Partial<CatalogueRow> = {}): CatalogueRow & Entry {
  const title = `Title ${id}`
  return {
    id,
    title,
    type: null,
    year: null,
    score: null,
    genres: [],
    facts: {},
    metadata: {},
    texts: [null],
    ...changes,
  }
}

/** A generator of numbers from 0 to 1, the same on every machine. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
