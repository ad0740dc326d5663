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
import { leaveOut, type LeftOut, type WorkKind } from './leave-out.js'
import { readMapping } from './mapping.js'
import { mergeSources, type Input, type MergedDataset, type MergedSource } from './merge.js'
import { readSource } from './source.js'

export interface ImportOptions {
  /** Folder of the source files; left out, each mapping's own folder. */
  readonly from?: string
  /** The catalogue's file. */
  readonly into: string
  /** Kinds of works that are left out once all sources are joined; none unless said. */
  readonly leaveOut?: readonly WorkKind[]
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
  readonly leftOut: readonly LeftOut[]
}

/**
 * Replaces the datasets that the mappings name and keeps the others.
 * @param mappings paths of mapping files; of each dataset, one base and any number joined to it
 * @throws DataImportError when anything cannot be imported as a whole; the catalogue is as before
 */
export async function importDatasets(
  mappings: readonly string[],
  { from, into, leaveOut: kinds = [], onProgress = () => undefined }: ImportOptions,
): Promise<ImportSummary> {
  const start = performance.now()
  const inputs = await Promise.all(mappings.map((path) => readInput(path, from)))
  const locked = withBuildLock(into, async () => {
    const merged = await readDatasets(inputs, kinds, onProgress)
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

interface SizedInput extends Input {
  readonly bytes: number
}

async function readInput(path: string, from: string | undefined): Promise<SizedInput> {
  const mapping = await readMapping(path)
  const file = resolve(from ?? dirname(path), mapping.file)
  try {
    return { mapping, file, bytes: statSync(file).size }
  } catch (cause) {
    const remedy = from === undefined ? '; name its folder with --from' : ''
    throw new DataImportError(file, `cannot be read (${codeOf(cause)})${remedy}`, { cause })
  }
}

interface ReadDataset extends MergedDataset {
  readonly leftOut: readonly LeftOut[]
}

async function readDatasets(
  inputs: readonly SizedInput[],
  kinds: readonly WorkKind[],
  onProgress: (progress: ImportProgress) => void,
): Promise<ReadonlyMap<DatasetName, ReadDataset>> {
  const total = inputs.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    onProgress({ phase: 'read', done, total })
  }
  const merged = new Map<DatasetName, ReadDataset>()
  for (const name of datasetNames) {
    const ofDataset = inputs.filter(({ mapping }) => mapping.dataset === name)
    if (ofDataset.length === 0) continue
    const dataset = await mergeSources(ofDataset, ({ file, mapping }) =>
      readSource(file, mapping, onBytes),
    )
    merged.set(name, { ...dataset, ...leaveOut(dataset.works, kinds) })
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
    ({ id, title, alternativeTitles, type, year, score, popularity, genres, metadata, texts }) => ({
      id,
      title,
      type,
      year,
      score,
      popularity,
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

function describe(info: DatasetInfo, dataset: ReadDataset | undefined): ImportedDataset[] {
  if (dataset === undefined) return []
  const textCounts = dataset.columns.map(
    (_, column) => dataset.works.filter(({ texts }) => texts[column] !== null).length,
  )
  return [{ ...info, textCounts, sources: dataset.sources, leftOut: dataset.leftOut }]
}
