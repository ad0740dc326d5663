/**
 * Merges the journal into the catalogue and its embeddings: builds both aside, then renames them one after the other, so
 * that they disagree for milliseconds. A merge that is killed changes nothing, or is completed by the next one.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { followLink } from '../../base/util/follow-link.js'
import { withBuildLock } from '../../base/util/build-lock.js'
import { DataImportError, EmbeddingsBusyError } from '../../base/errors/index.js'
import { syncFileSync, syncFolderSync } from '../../base/util/sync-to-disk.js'
import type { Settings } from '../../base/config/settings.js'
import { buildCatalogue } from '../catalogue/build-catalogue.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { CatalogueRow } from '../catalogue/catalogue-row.js'
import { type DatasetContents, readContents } from '../catalogue/contents.js'
import type { DatasetName } from '../catalogue/dataset.js'
import { catalogueFile, openCatalogue } from '../catalogue/open-catalogue.js'
import { removeCatalogue, renameCatalogue } from '../catalogue/row-indexes.js'
import { verifyCatalogue } from '../catalogue/verify-catalogue.js'
import { appliedWrite, readWriteResults, type WriteResult } from '../catalogue/write-results.js'
import { buildEmbeddings } from '../embed/build.js'
import { collectionStates } from '../embed/status.js'
import { builtinModel } from '../../models/registry/registry.js'
import { requireInstalled } from '../../models/registry/resolve-model.js'
import { createEncoders } from '../../models/residency/encoders.js'
import { type AppliedWrites, applyWrites, firstBatch } from './apply.js'
import { createBarrier } from './barrier.js'
import { journalFile, readJournal } from './journal.js'
import type { WriteOperation, WriteRecord } from './operation.js'
import { type Refusals, type Unfit, refuse, unfitRows, unfitTexts } from './refusals.js'

export type MergeSettings = Pick<Settings, 'dataDir' | 'modelsDir' | 'embeddingsDir'>

export interface MergeOptions {
  /** Applied after the journal, and recorded nowhere. */
  readonly also?: WriteOperation | undefined
  readonly device?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Merged {
  /** The last write that the catalogue has now. */
  readonly applied: number
  /** Whether there are more. */
  readonly more: boolean
  /** What became of `also`. */
  readonly result?: WriteResult | undefined
}

/** Whether the journal has writes that the catalogue lacks, or a merge was killed between catalogue and embeddings. */
export function needsMerge(dataDir: string): boolean {
  const file = catalogueFile(dataDir)
  if (!existsSync(file)) return false
  if (existsSync(unfinishedMark(file))) return true
  const last = readJournal(journalFile(dataDir)).records.at(-1)?.seq ?? 0
  return last > 0 && last > appliedWrite(readWriteResults(file))
}

/** There while embeddings and catalogue may disagree. */
const unfinishedMark = (file: string) => `${followLink(file)}.merging`

/** Until the next merge ends, which builds what is stale. */
export function markUnfinished(file: string): void {
  const mark = unfinishedMark(file)
  writeFileSync(mark, '')
  syncFileSync(mark)
  syncFolderSync(dirname(mark))
}

/**
 * Resolves to undefined where another process builds the catalogue or the embeddings.
 * @throws JournalError, CatalogueError, DataImportError, and what encoders reject with; then nothing is changed
 */
export async function mergeWrites(
  settings: MergeSettings,
  options: MergeOptions = {},
): Promise<Merged | undefined> {
  const file = followLink(catalogueFile(settings.dataDir))
  return withBuildLock(file, async () => {
    await verifyCatalogue(file)
    const old = openCatalogue(file)
    try {
      return await merge(old, file, settings, options)
    } catch (error) {
      if (error instanceof EmbeddingsBusyError) return undefined
      throw error
    } finally {
      old.close()
    }
  })
}

async function merge(
  old: Catalogue,
  file: string,
  settings: MergeSettings,
  { also, device, signal }: MergeOptions,
): Promise<Merged> {
  const before = readWriteResults(file)
  const pending = readJournal(journalFile(settings.dataDir)).records.filter(
    ({ seq }) => seq > appliedWrite(before),
  )
  const records = firstBatch(pending)
  const more = records.length < pending.length
  const extra: WriteRecord[] =
    also === undefined || more ? [] : [{ seq: 0, at: new Date().toISOString(), operation: also }]
  const all = [...records, ...extra]
  const aside = `${file}.new`
  removeCatalogue(aside)
  try {
    const options = { device, signal }
    const results =
      all.length === 0 ? [] : await writeBoth({ old, file, aside, before }, all, settings, options)
    if (all.length === 0 && existsSync(unfinishedMark(file)))
      await embed(old, old, settings, options)
    rmSync(unfinishedMark(file), { force: true })
    const applied = records.at(-1)?.seq ?? appliedWrite(before)
    return { applied, more, result: extra.length > 0 ? results.at(-1) : undefined }
  } finally {
    removeCatalogue(aside)
  }
}

interface Places {
  readonly old: Catalogue
  readonly file: string
  readonly aside: string
  readonly before: readonly WriteResult[]
}

/** Builds catalogue and embeddings with the writes but for entries that cannot be built. Returns what became of each write. */
async function writeBoth(
  places: Places,
  records: readonly WriteRecord[],
  settings: MergeSettings,
  options: BuildOptions,
): Promise<readonly WriteResult[]> {
  const { old, file, aside } = places
  let refused: Refusals = new Map()
  for (;;) {
    const applied = applyAll(old, records, refused)
    try {
      const results = writeAside(places, records, applied)
      await publishBoth(old, file, aside, settings, options)
      return results
    } catch (error) {
      if (error instanceof EmbeddingsBusyError || options.signal?.aborted === true) throw error
      const texts = unfitTexts(error)
      const unfit = texts.length > 0 ? texts : unfitIn(old, applied, `${aside}.probe`)
      const more = refuse(refused, records, unfit)
      if (more === undefined) throw error
      refused = more
    }
  }
}

type Applied = ReadonlyMap<DatasetName, AppliedWrites>

function applyAll(old: Catalogue, records: readonly WriteRecord[], refused: Refusals): Applied {
  const names = new Set(records.map(({ operation }) => operation.dataset))
  return new Map(
    [...names].map((name) => {
      const own = records.filter(({ operation }) => operation.dataset === name)
      return [name, applyWrites(old, name, own, { refused })]
    }),
  )
}

/** Written rows that no catalogue can have; none where what is there already cannot be built either. */
function unfitIn(old: Catalogue, applied: Applied, probe: string): readonly Unfit[] {
  try {
    return [...applied].flatMap(([name, { contents, written }]) => {
      if (contents === undefined) return []
      const build = (rows: readonly CatalogueRow[]) =>
        void buildCatalogue(probe, [{ ...contents, rows }])
      const [first] = readContents(old, name)?.rows ?? []
      build(first === undefined ? [] : [first])
      return unfitRows(name, written, build)
    })
  } catch {
    return []
  } finally {
    removeCatalogue(probe)
  }
}

/** Builds the catalogue with the writes. Returns what became of each. */
function writeAside(
  { old, file, aside, before }: Places,
  records: readonly WriteRecord[],
  applied: Applied,
): readonly WriteResult[] {
  const results = [...applied.values()].flatMap(({ results }) => results)
  const bySeq = new Map(results.map((result) => [result.seq, result]))
  const inOrder = records.flatMap(({ seq }) => bySeq.get(seq) ?? [])
  const contents = old.datasets().flatMap(({ name }): DatasetContents[] => {
    const changed = applied.get(name)?.contents
    if (changed !== undefined) return [changed]
    const same = readContents(old, name)
    return same === undefined ? [] : [{ ...same, indexedIn: file }]
  })
  buildCatalogue(aside, contents, [...before, ...inOrder.filter(({ seq }) => seq > 0)])
  return inOrder
}

type BuildOptions = Pick<MergeOptions, 'device' | 'signal'>

/** Builds the embeddings of the new catalogue, then gives both their names. */
async function publishBoth(
  old: Catalogue,
  file: string,
  aside: string,
  settings: MergeSettings,
  options: BuildOptions,
): Promise<void> {
  const next = openCatalogue(aside)
  const rename = () => {
    markUnfinished(file)
    renameCatalogue(aside, file)
  }
  try {
    await embed(old, next, settings, { ...options, rename })
  } finally {
    next.close()
  }
}

/**
 * Builds what the old catalogue had embeddings of, and what a killed merge has left stale, by every model.
 * @param rename called once, when all of them are on disk
 */
async function embed(
  old: Catalogue,
  next: Catalogue,
  settings: MergeSettings,
  { device, signal, rename = () => undefined }: BuildOptions & { readonly rename?: () => void },
): Promise<void> {
  const builds = await buildsOf(old, next, settings)
  const encoders = createEncoders({
    isBulk: true,
    ...(device !== undefined && device !== 'auto' && { device }),
  })
  const barrier = createBarrier(builds.length, rename)
  const { embeddingsDir } = settings
  try {
    await barrier.all(
      builds.map(({ dataset, model }) => async (arrive: () => Promise<void>) => {
        const resolved = requireInstalled(model, settings)
        const encoder = await encoders.get(resolved)
        const common = {
          catalogue: next,
          encoder,
          modelFolder: resolved.folder,
          embeddingsDir,
          dataset,
        }
        await buildEmbeddings({
          ...common,
          beforePublish: arrive,
          ...(signal && { signal }),
        }).catch((error: unknown) => {
          // A server embeds in the background with a model that it does not need yet, and again after the reload.
          if (!(error instanceof EmbeddingsBusyError) || model === builtinModel) throw error
        })
      }),
    )
  } finally {
    await encoders.close()
  }
}

async function buildsOf(old: Catalogue, next: Catalogue, settings: MergeSettings) {
  const versions = new Map(next.datasets().map(({ name, version }) => [name, version]))
  const states = await collectionStates({ ...settings, catalogue: old, verify: false })
  return states.flatMap(({ dataset, model, state }) => {
    const isNew = versions.get(dataset) !== old.dataset(dataset)?.version
    const isNeeded = state === 'stale' || state === 'damaged' || (state === 'current' && isNew)
    return isNeeded ? [{ dataset, model }] : []
  })
}

/**
 * Merges until nothing is pending, as commands that change the catalogue do first. Waits for another process that builds it.
 * @throws DataImportError, and as mergeWrites
 */
export async function mergeAll(
  settings: MergeSettings,
  options: MergeOptions = {},
): Promise<Merged> {
  const begunMs = performance.now()
  for (;;) {
    const merged = await mergeWrites(settings, options)
    if (merged?.more === false) return merged
    if (merged !== undefined) continue
    if (performance.now() - begunMs > patientMs) {
      const problem = 'another process is changing this catalogue; wait until it ends'
      throw new DataImportError(catalogueFile(settings.dataDir), problem)
    }
    await delay(retryMs)
  }
}

const patientMs = 120_000
const retryMs = 500
