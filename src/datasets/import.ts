/** `synoptic data import`: sources through their mappings into a new catalogue. */
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { buildCatalogue } from '../catalogue/build-catalogue.js'
import { withBuildLock } from '../catalogue/build-lock.js'
import { datasetNames, type DatasetInfo, type DatasetName } from '../catalogue/catalogue.js'
import { readContents, type DatasetContents } from '../catalogue/contents.js'
import { openCatalogue } from '../catalogue/open-catalogue.js'
import { CatalogueError } from '../errors/catalogue-error.js'
import { DataImportError } from '../errors/data-import-error.js'
import { codeOf } from './cause.js'
import { readMapping, type Mapping } from './mapping.js'
import { mergeSources, type MergedDataset, type MergedSource } from './merge.js'
import { readSource } from './source.js'

export interface ImportOptions {
  /** Folder of the source files; left out, each mapping's own folder. */
  readonly from?: string
  /** The catalogue's file. */
  readonly into: string
  readonly onProgress?: (progress: ImportProgress) => void
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
  readonly kept: readonly DatasetInfo[]
  /** Why the old catalogue's other datasets could not be kept, null where nothing is wrong. */
  readonly notKept: string | null
  readonly elapsedMs: number
}

export interface ImportedDataset extends DatasetInfo {
  /** Texts that are not blank, of each column. */
  readonly textCounts: readonly number[]
  readonly sources: readonly MergedSource[]
}

/**
 * Replaces the datasets that the mappings name and keeps the others.
 * @param mappings paths of mapping files; of each dataset, one base and any number joined to it
 * @throws DataImportError when anything cannot be imported as a whole; the catalogue is as before
 */
export async function importDatasets(
  mappings: readonly string[],
  { from, into, onProgress = () => undefined }: ImportOptions,
): Promise<ImportSummary> {
  const start = performance.now()
  const inputs = await Promise.all(mappings.map((path) => readInput(path, from)))
  const locked = withBuildLock(into, async () => {
    const merged = await readDatasets(inputs, onProgress)
    const { kept, notKept } = readKept(into, new Set(merged.keys()))
    const contents = [...[...merged].map(([name, dataset]) => toContents(name, dataset)), ...kept]
    contents.sort((one, other) => datasetNames.indexOf(one.name) - datasetNames.indexOf(other.name))
    const infos = build(into, contents, onProgress)
    return { infos, merged, notKept }
  })
  const summary = await locked.catch((cause: unknown) => {
    // What has a code comes from the system or SQLite: a folder without rights, a full disk.
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    throw new DataImportError(into, `cannot be written (${codeOf(cause)})`, { cause })
  })
  if (summary === undefined) {
    throw new DataImportError(into, 'another import is building this catalogue; wait for its end')
  }
  const { infos, merged, notKept } = summary
  return {
    datasets: infos.flatMap((info) => describe(info, merged.get(info.name))),
    kept: infos.filter((info) => !merged.has(info.name)),
    notKept,
    elapsedMs: performance.now() - start,
  }
}

interface Input {
  readonly mapping: Mapping
  readonly file: string
  readonly bytes: number
}

async function readInput(path: string, from: string | undefined): Promise<Input> {
  const mapping = await readMapping(path)
  const file = resolve(from ?? dirname(path), mapping.file)
  try {
    return { mapping, file, bytes: statSync(file).size }
  } catch (cause) {
    const remedy = from === undefined ? '; name its folder with --from' : ''
    throw new DataImportError(file, `cannot be read (${codeOf(cause)})${remedy}`, { cause })
  }
}

async function readDatasets(
  inputs: readonly Input[],
  onProgress: (progress: ImportProgress) => void,
): Promise<ReadonlyMap<DatasetName, MergedDataset>> {
  const total = inputs.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    onProgress({ phase: 'read', done, total })
  }
  const merged = new Map<DatasetName, MergedDataset>()
  for (const name of datasetNames) {
    const sources = []
    for (const { mapping, file } of inputs) {
      if (mapping.dataset === name) sources.push(await readSource(file, mapping, onBytes))
    }
    if (sources.length > 0) merged.set(name, mergeSources(sources))
  }
  return merged
}

/** An old catalogue that cannot be read is no reason to keep it: this command is what mends it. */
function readKept(
  into: string,
  replaced: ReadonlySet<DatasetName>,
): { kept: readonly DatasetContents[]; notKept: string | null } {
  try {
    const catalogue = openCatalogue(into)
    try {
      const names = catalogue.datasets().map(({ name }) => name)
      const kept = names
        .filter((name) => !replaced.has(name))
        .flatMap((name) => readContents(catalogue, name) ?? [])
      return { kept, notKept: null }
    } finally {
      catalogue.close()
    }
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    return { kept: [], notKept: error.code === 'missing' ? null : error.problem }
  }
}

function toContents(name: DatasetName, { columns, works }: MergedDataset): DatasetContents {
  const rows = works.map(
    ({ id, title, alternativeTitles, type, year, genres, metadata, texts }) => ({
      id,
      title,
      type,
      year,
      genres,
      metadata: { alternativeTitles, ...metadata },
      texts,
    }),
  )
  return { name, columns, rows }
}

function build(
  into: string,
  contents: readonly DatasetContents[],
  onProgress: (progress: ImportProgress) => void,
): DatasetInfo[] {
  const total = contents.reduce((sum, { rows }) => sum + rows.length, 0)
  let done = 0
  onProgress({ phase: 'write', done, total })
  return buildCatalogue(into, contents, (rows) => {
    done += rows
    onProgress({ phase: 'write', done, total })
  })
}

function describe(info: DatasetInfo, dataset: MergedDataset | undefined): ImportedDataset[] {
  if (dataset === undefined) return []
  const textCounts = dataset.columns.map(
    (_, column) => dataset.works.filter(({ texts }) => texts[column] !== null).length,
  )
  return [{ ...info, textCounts, sources: dataset.sources }]
}
