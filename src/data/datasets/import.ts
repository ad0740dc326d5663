/** `synoptic data import`: reads sources with their mappings and builds a new catalogue. */
import { rmSync } from 'node:fs'
import { buildCatalogue } from '../catalogue/build-catalogue.js'
import { danglingTarget, followLink } from '../../base/util/follow-link.js'
import { withBuildLock } from '../../base/util/build-lock.js'
import {
  inDatasetOrder,
  isWorkDataset,
  type DatasetInfo,
  type DatasetName,
  type Origin,
} from '../catalogue/catalogue.js'
import { DataImportError } from '../../base/errors/index.js'
import { readRetained } from './retained-datasets.js'
import { readWriteResults } from '../catalogue/write-results.js'
import type { WorkKind } from '../../base/config/work-kinds.js'
import { readInputs, sized, type SizedInput } from './read-inputs.js'
import { draft, type Counted, type ImportedDataset } from './draft.js'
import type { Input } from './input.js'
import { shippedWorks } from './join-works.js'
import { mergeSources, type MergedDataset, type MergeOptions, type ReadSource } from './merge.js'
import { readSource } from './source.js'
import { openStagedRows } from './staged-rows.js'
import { systemReason } from '../../base/util/system-reason.js'

export type { ImportedDataset, ImportedSource } from './draft.js'

export interface ImportOptions {
  /** Folder of the source files; left out, each mapping's own folder. */
  readonly from?: string
  /** The catalogue's file. */
  readonly into: string
  /** Kinds of works to exclude after the sources are joined; none by default. */
  readonly leaveOut?: readonly WorkKind[]
  /** Whether the first mapping is the base if no other is; otherwise a missing base is an error. */
  readonly firstIsBase?: boolean
  /** Whether the entries of the catalogue stay, and the sources tell what has changed of them. */
  readonly update?: boolean
  /** What is recorded of each origin, so that a later update can tell whether it is another. */
  readonly stateOf?: ((origin: Origin) => string | null) | undefined
  /** Whether the included works add to those of the sources. */
  readonly works?: boolean
  /** A dataset of fewer works is refused, and the catalogue unchanged. */
  readonly leastWorks?: ReadonlyMap<DatasetName, number> | undefined
  readonly onProgress?: (progress: ImportProgress) => void
  /** Ends an import that still reads; one that writes is completed. */
  readonly signal?: AbortSignal
}

export interface ImportProgress {
  /** `read` counts bytes of the sources, `write` rows of the catalogue. */
  readonly phase: 'read' | 'write'
  readonly done: number
  readonly total: number
}

export interface ImportSummary {
  readonly datasets: readonly ImportedDataset[]
  /** Datasets of the old catalogue that the mappings do not name. */
  readonly retained: readonly DatasetInfo[]
  /** Why the old catalogue could not be read; null if nothing is lost. */
  readonly lossReason: string | null
  readonly elapsedMs: number
}

/**
 * Replaces the datasets that the mappings name and keeps the others.
 * @param mappings paths of mapping files, and of data sets that are known by sight; of each dataset, one base
 *   and any number joined to it
 * @throws DataImportError if a source cannot be imported; the old catalogue is unchanged
 */
export async function importDatasets(
  mappings: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  const { from } = options
  const into = locate(options.into)
  const start = performance.now()
  const inputs = withStates(await readInputs(mappings, from), options.stateOf)
  const locked = withBuildLock(into, () => build(inputs, { ...options, into }))
  const summary = await locked.catch((cause: unknown) => {
    // What has a code comes from the system or SQLite: a folder without rights, a full disk.
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    throw new DataImportError(into, `cannot be written: ${systemReason(cause)}`, { cause })
  })
  if (summary === undefined) {
    throw new DataImportError(into, 'another import is building this catalogue; wait until it ends')
  }
  return { ...summary, elapsedMs: performance.now() - start }
}

const withStates = (inputs: readonly SizedInput[], stateOf: ImportOptions['stateOf']) =>
  inputs.map((input) => {
    const { origin } = input
    if (origin === undefined || stateOf === undefined) return input
    return { ...input, origin: { ...origin, state: stateOf(origin) } }
  })

/** What a link names is replaced, not the link. */
function locate(into: string): string {
  const target = danglingTarget(into)
  if (target === undefined) return followLink(into)
  const problem = `links to ${target}, which is not there; mount what is missing, or remove the link`
  throw new DataImportError(into, problem)
}

/** Stages texts on disk before it writes the catalogue, so that few are in memory at a time. */
async function build(
  inputs: readonly SizedInput[],
  {
    into,
    leaveOut = [],
    update = false,
    firstIsBase = update,
    works = false,
    leastWorks,
    onProgress = () => undefined,
    signal,
  }: ImportOptions,
): Promise<Omit<ImportSummary, 'elapsedMs'>> {
  const staged = openStagedRows(`${into}.staged`)
  const scratch = `${into}.unpacked`
  // Of an import that was killed.
  rmSync(scratch, { force: true })
  try {
    const options = { staged, firstIsBase, works, scratch }
    const merged = await readDatasets(inputs, options, (progress) => {
      signal?.throwIfAborted()
      onProgress(progress)
    })
    requireWorks(merged, leastWorks, into)
    const replaced = new Set(update ? [] : merged.keys())
    const { contents: kept, rowCount, lossReason } = await readRetained(into, replaced)
    if (update && lossReason !== null) throw new DataImportError(into, `${lossReason}; no update`)
    const retained = kept.filter(({ name }) => !merged.has(name))
    const oldOf = (name: DatasetName) => kept.find((old) => old.name === name)
    const fresh = [...merged].filter(([name]) => oldOf(name) === undefined)
    const total = fresh.reduce((sum, [, { workCount }]) => sum + workCount, rowCount)
    const counted = countRows((done) => onProgress({ phase: 'write', done, total }), total)
    const drafts = new Map(
      [...merged].map(([name, dataset]) => [
        name,
        draft(name, dataset, { leaveOut, counted, old: oldOf(name) }),
      ]),
    )
    const contents = [
      ...[...drafts.values()].map((one) => one.contents),
      ...retained.map((one) => ({ ...one, rows: counted(one.rows) })),
    ]
    const ordered = inDatasetOrder(contents.map(({ name }) => name)).flatMap((name) =>
      contents.filter((one) => one.name === name),
    )
    const built = buildCatalogue(into, ordered, readWriteResults(into))
    return {
      datasets: built.flatMap((info) => drafts.get(info.name)?.describe(info) ?? []),
      retained: built.filter(({ name }) => !drafts.has(name)),
      lossReason,
    }
  } finally {
    staged.close()
  }
}

/** @throws DataImportError */
function requireWorks(
  merged: ReadonlyMap<DatasetName, MergedDataset>,
  least: ImportOptions['leastWorks'],
  into: string,
): void {
  for (const [name, { workCount }] of merged) {
    const expected = least?.get(name) ?? 0
    if (workCount >= expected) continue
    const problem = `expected at least ${expected} works of ${name}, found ${workCount}`
    throw new DataImportError(
      into,
      `${problem}: the file may be cut off; --allow-shrink imports it`,
    )
  }
}

interface ReadOptions extends MergeOptions<SizedInput> {
  readonly works: boolean
  /** A path at which one file is kept meanwhile, where that is packed. */
  readonly scratch: string
}

async function readDatasets(
  inputs: readonly SizedInput[],
  { works, scratch, ...options }: ReadOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<ReadonlyMap<DatasetName, MergedDataset>> {
  const names = inDatasetOrder(inputs.map(({ mapping }) => mapping.dataset))
  const shipped = new Map<DatasetName, SizedInput>()
  if (works)
    for (const name of names.filter(isWorkDataset))
      shipped.set(name, sized(await shippedWorks(name)))
  const total = [...inputs, ...shipped.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    onProgress({ phase: 'read', done, total })
  }
  const merged = new Map<DatasetName, MergedDataset>()
  const read: ReadSource<Input> = (input, onRow) => readSource(input, onBytes, onRow, scratch)
  for (const name of names) {
    const ofDataset = inputs.filter(({ mapping }) => mapping.dataset === name)
    const ofOptions = { ...options, shipped: shipped.get(name) }
    merged.set(name, await mergeSources(ofDataset, read, ofOptions))
  }
  return merged
}

/** Rows between two progress reports. */
const rowsPerStep = 500

/** Passes rows on and counts them over all datasets. */
function countRows(onStep: (done: number) => void, total: number): Counted {
  let done = 0
  onStep(done)
  return function* counted(rows) {
    for (const row of rows) {
      yield row
      done += 1
      if (done % rowsPerStep === 0 || done === total) onStep(done)
    }
  }
}
