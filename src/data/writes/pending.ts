/**
 * Makes writes searchable before they are merged: builds the entries that they leave as segments, small catalogues with
 * embeddings by every model that the catalogue has some of. A new segment takes in those before it that are not much
 * larger, so there are few, and each entry is built a few times only.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { splitWords } from '../../base/text/searched-words.js'
import { makeFolder } from '../../base/util/make-folder.js'
import { passes } from '../../base/util/row-mask.js'
import { requireInstalled } from '../../models/registry/resolve-model.js'
import type { Encoders } from '../../models/residency/encoders.js'
import { buildCatalogue } from '../catalogue/build-catalogue.js'
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import { type DatasetContents, readContents } from '../catalogue/contents.js'
import type { EntryFilter } from '../catalogue/filter.js'
import { catalogueFile, openCatalogue } from '../catalogue/open-catalogue.js'
import { appliedWrite, readWriteResults } from '../catalogue/write-results.js'
import { buildEmbeddings } from '../embed/build.js'
import { collectionStates } from '../embed/status.js'
import type { OtherRows } from '../lexical/postings.js'
import { type ChangedRows, createChangedRows } from './changed-rows.js'
import type { MergeSettings } from './merge-writes.js'
import type { WriteRecord } from './operation.js'
import {
  pendingFolderOf,
  segmentCatalogue,
  segmentEmbeddings,
  writePendingState,
} from './pending-state.js'
import { unfitTexts } from './refusals.js'

export interface Pending {
  /** Resolves when searches that read the state find what the records leave. Records that it has are skipped. */
  add(records: readonly WriteRecord[]): Promise<void>
  /** Removes its files; servers may have them open. */
  remove(): void
  close(): void
}

interface Segment {
  readonly name: string
  readonly size: number
  /** By dataset. */
  readonly ids: ReadonlyMap<DatasetName, ReadonlySet<number>>
  readonly catalogue: Catalogue
}

/** Takes the catalogue that is on disk now. @throws CatalogueError */
export async function openPending(settings: MergeSettings, encoders: Encoders): Promise<Pending> {
  const { dataDir, embeddingsDir, modelsDir } = settings
  const file = catalogueFile(dataDir)
  const catalogue = openCatalogue(file)
  const folder = pendingFolderOf(dataDir, catalogue)
  rmSync(folder, { recursive: true, force: true })
  const states = await collectionStates({ catalogue, embeddingsDir, modelsDir, verify: false })
  const collections = states.filter(({ state }) => state === 'current')
  const changes = new Map<DatasetName, ChangedRows>()
  const others = new Map<DatasetName, OtherRows>()
  let segments: readonly Segment[] = []
  let seq = appliedWrite(readWriteResults(file))
  let names = 0
  /** Entries that no segment has yet, by dataset. */
  let unbuilt = new Map<DatasetName, Set<number>>()

  function changesOf(name: DatasetName): ChangedRows | undefined {
    const known = changes.get(name)
    if (known !== undefined) return known
    const made = createChangedRows(catalogue, name, {
      changedMatching: (filter) => matching(name, filter),
    })
    if (made !== undefined) changes.set(name, made)
    return made
  }

  /** Ids of entries in segments that pass. */
  function matching(name: DatasetName, filter: EntryFilter): readonly number[] {
    return segments.flatMap((segment, at) => {
      const rowCount = segment.catalogue.dataset(name)?.rows ?? 0
      if (rowCount === 0) return []
      const mask = segment.catalogue.mask(name, filter)
      return Array.from({ length: rowCount }, (_, row) => row)
        .filter((row) => mask === undefined || passes(mask, row))
        .map((row) => segment.catalogue.entry(name, row).id)
        .filter((id) => !segments.slice(at + 1).some(({ ids }) => ids.get(name)?.has(id)))
    })
  }

  function apply(record: WriteRecord): void {
    const { operation } = record
    const { dataset, kind } = operation
    changesOf(dataset)?.apply(record)
    const ids =
      kind === 'put'
        ? operation.entries.map(({ id }) => id)
        : kind === 'patch'
          ? [operation.id]
          : []
    const set = unbuilt.get(dataset) ?? new Set()
    for (const id of ids) set.add(id)
    unbuilt.set(dataset, set)
  }

  async function build(): Promise<void> {
    const wanted = new Map([...unbuilt].map(([name, ids]) => [name, new Set(ids)]))
    unbuilt = new Map()
    const sizeOf = () => [...wanted.values()].reduce((sum, { size }) => sum + size, 0)
    if (sizeOf() === 0) return
    let kept = segments
    for (let last = kept.at(-1); last && last.size <= 2 * sizeOf(); last = kept.at(-1)) {
      for (const [name, ids] of last.ids) {
        const set = wanted.get(name) ?? new Set()
        for (const id of ids) set.add(id)
        wanted.set(name, set)
      }
      kept = kept.slice(0, -1)
    }
    const made = await buildSegment(wanted)
    const left = segments.slice(kept.length)
    segments = made === undefined ? kept : [...kept, made]
    for (const { catalogue: old } of left) old.close()
  }

  async function buildSegment(
    wanted: ReadonlyMap<DatasetName, ReadonlySet<number>>,
  ): Promise<Segment | undefined> {
    const unfit = new Map<string, Set<number>>()
    for (;;) {
      const contents = [...wanted].flatMap(([name, ids]) => contentsOf(name, ids, unfit.get(name)))
      if (contents.length === 0) return undefined
      const name = `${(names += 1)}`
      try {
        return await writeSegment(name, contents)
      } catch (error) {
        rmSync(join(folder, name), { recursive: true, force: true })
        const texts = unfitTexts(error)
        if (texts.length === 0) throw error
        // The merge reports them.
        for (const { dataset, id } of texts)
          unfit.set(dataset, (unfit.get(dataset) ?? new Set()).add(id))
      }
    }
  }

  /** Of what is not deleted; none where nothing is left. */
  function contentsOf(
    name: DatasetName,
    ids: ReadonlySet<number>,
    unfit: ReadonlySet<number> | undefined,
  ): (DatasetContents & { readonly rows: readonly CatalogueRow[] })[] {
    const own = changes.get(name)
    const written = [...ids]
      .sort((one, other) => one - other)
      .flatMap((id) => (unfit?.has(id) ? [] : (own?.changed.get(id) ?? [])))
    const base = readContents(catalogue, name)
    if (written.length === 0 || base === undefined || own === undefined) return []
    return [{ ...base, others: othersOf(name), rows: own.completed(written) }]
  }

  function othersOf(name: DatasetName): OtherRows {
    const known = others.get(name)
    if (known !== undefined) return known
    const counts = new Map<string, number>()
    const made: OtherRows = {
      rows: catalogue.dataset(name)?.rows ?? 0,
      meanWords: meanWordsOf(catalogue, name),
      rowsWith(word) {
        const count = counts.get(word) ?? catalogue.rowsWith(name, word).length
        counts.set(word, count)
        return count
      },
    }
    others.set(name, made)
    return made
  }

  async function writeSegment(
    name: string,
    contents: readonly (DatasetContents & { readonly rows: readonly CatalogueRow[] })[],
  ): Promise<Segment> {
    makeFolder(join(folder, name))
    const path = segmentCatalogue(folder, name)
    buildCatalogue(path, contents)
    const built = openCatalogue(path)
    try {
      const datasets = new Set<string>(contents.map((one) => one.name))
      for (const { dataset, model } of collections.filter((one) => datasets.has(one.dataset))) {
        const resolved = requireInstalled(model, { modelsDir })
        await buildEmbeddings({
          catalogue: built,
          encoder: await encoders.get(resolved),
          modelFolder: resolved.folder,
          embeddingsDir: segmentEmbeddings(folder, name),
          dataset,
        })
      }
    } catch (error) {
      built.close()
      throw error
    }
    const ids = contents.map(
      ({ name: dataset, rows }) => [dataset, new Set(rows.map(({ id }) => id))] as const,
    )
    const size = ids.reduce((sum, [, own]) => sum + own.size, 0)
    return { name, size, ids: new Map(ids), catalogue: built }
  }

  return {
    async add(records) {
      const fresh = records.filter((record) => record.seq > seq)
      for (const record of fresh) {
        // A filter sees what the writes before it leave.
        if (record.operation.kind === 'delete-matching') await build()
        apply(record)
      }
      await build()
      seq = fresh.at(-1)?.seq ?? seq
      const deleted = [...changes].map(([name, { changed }]) => [
        name,
        [...changed].flatMap(([id, row]) => (row === null ? [id] : [])),
      ])
      writePendingState(folder, {
        seq,
        deleted: Object.fromEntries(deleted) as Partial<Record<DatasetName, number[]>>,
        segments: segments.map(({ name, ids }) => ({
          name,
          ids: Object.fromEntries([...ids].map(([dataset, own]) => [dataset, [...own]])),
        })),
      })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
    close() {
      for (const segment of segments) segment.catalogue.close()
      catalogue.close()
    },
  }
}

/** As many as show the mean well. */
const sampledRows = 500

function meanWordsOf(catalogue: Catalogue, name: DatasetName): number {
  const { rows = 0, columns = [] } = catalogue.dataset(name) ?? {}
  const step = Math.max(1, Math.floor(rows / sampledRows))
  let [words, sampled] = [0, 0]
  for (let row = 0; row < rows; row += step) {
    const { title, facts } = catalogue.entry(name, row)
    const texts = columns.map((_, column) => catalogue.text(name, row, column) ?? '')
    for (const text of [title, ...(facts.otherTitles ?? []), ...texts])
      words += splitWords(text).length
    sampled += 1
  }
  return sampled === 0 ? 0 : words / sampled
}
