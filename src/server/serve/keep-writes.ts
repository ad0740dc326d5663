/**
 * The owner of the journal: puts writes on disk, has them merged in a background process, and has the server reload. One
 * for all processes of a server.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createBackOff } from '../../base/util/back-off.js'
import { runInBackground } from '../../base/util/background-process.js'
import { JournalBusyError, NotFoundError, OverloadedError } from '../../base/errors/index.js'
import type { ServerSettings } from '../../base/config/settings.js'
import { catalogueFile } from '../../data/catalogue/open-catalogue.js'
import {
  appliedWrite,
  readWriteResults,
  type WriteResult,
} from '../../data/catalogue/write-results.js'
import { migrateCatalogue } from '../../data/writes/migrate-catalogue.js'
import { type Journal, journalFile, openJournal } from '../../data/writes/journal.js'
import { needsMerge } from '../../data/writes/merge-writes.js'
import { entriesOf, type WriteOperation, type WriteRecord } from '../../data/writes/operation.js'
import { removePending } from '../../data/writes/pending-state.js'
import type { Writes } from '../http/writes.js'
import type { Task } from '../schemas/writes.js'
import type { MergeWork } from './merge-process.js'
import { createPendingBuilder } from './pending-builder.js'

/** What a server does in every process. */
interface ServedWrites {
  /** Serves what is on disk. */
  reload(): Promise<unknown>
  /** Searches what is pending. */
  showPending(): Promise<void> | void
}

export interface KeptWrites extends Writes {
  /** Starts to merge. Called once the server serves. */
  begin(server: ServedWrites, onMerged: () => void): void
  stop(): Promise<void>
}

/** What is needed of a write that is not in the catalogue. */
interface Pending extends Pick<WriteRecord, 'seq' | 'at'> {
  readonly kind: WriteOperation['kind']
  readonly dataset: WriteOperation['dataset']
  readonly entries: number | null
  /** Of the entries that it puts. */
  readonly ids: ReadonlySet<number>
}

/** Writes that come together are merged together. */
const gatherMs = 100
/**
 * The next merge waits three times as long as the last one took, and at most this long: searches have the processors
 * meanwhile, and find what is pending.
 */
const maxRestMs = 60_000
const restsAMerge = 3
const maxPendingEntries = 100_000

const mergeProgram = fileURLToPath(new URL('merge-process.js', import.meta.url))

type WriteSettings = Pick<ServerSettings, 'dataDir' | 'modelsDir' | 'embeddingsDir' | 'device'>

/** Whether the server takes writes: a key has to permit them, and only vectors of its own can be changed. */
export const takesWrites = ({ apiKeys, index }: Pick<ServerSettings, 'apiKeys' | 'index'>) =>
  apiKeys !== 'none' && index !== 'opensearch'

/**
 * Migrates an older catalogue, and merges what an earlier process has left, before anything is served. A failure is logged: the writes stay in the journal.
 * @throws JournalError
 */
export async function prepareWrites(settings: WriteSettings, logger: Logger): Promise<void> {
  await migrate(catalogueFile(settings.dataDir), logger)
  if (!needsMerge(settings.dataDir)) return
  logger.info('merging what an earlier process has left into catalogue and embeddings')
  const onProblem = (problem: string) => logger.error({ problem }, 'writes could not be merged')
  await runMerge(settings, onProblem, new AbortController().signal)
}

/** A folder that cannot be written keeps its catalogue, which is read all the same. */
async function migrate(file: string, logger: Logger): Promise<void> {
  try {
    const from = await migrateCatalogue(file)
    if (from !== undefined) logger.info({ from }, 'the catalogue is migrated to the current schema')
  } catch (err) {
    logger.warn(
      { err },
      'the catalogue of an older schema cannot be migrated; it is served as it is',
    )
  }
}

function runMerge(
  { dataDir, modelsDir, embeddingsDir, device }: WriteSettings,
  onProblem: (problem: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const work: MergeWork = { settings: { dataDir, modelsDir, embeddingsDir }, device }
  return runInBackground({ file: mergeProgram, work, onProblem, signal })
}

/** @throws JournalError */
export async function keepWrites(settings: WriteSettings, logger: Logger): Promise<KeptWrites> {
  const file = catalogueFile(settings.dataDir)
  const path = journalFile(settings.dataDir)
  const stopping = new AbortController()
  const pending = new Map<number, Pending>()
  let results = readWriteResults(file)
  let served = appliedWrite(results)
  let merging = 0
  let lastSeq = served
  let journal: Journal | undefined
  let problem: string | null = null
  let pendingEntries = 0
  let server: ServedWrites | undefined
  let onMerged: () => void = () => undefined
  let wake: () => void = () => undefined
  let running = Promise.resolve()

  const { dataDir, modelsDir, embeddingsDir, device } = settings
  const folders = { dataDir, modelsDir, embeddingsDir }
  const builder = createPendingBuilder({ settings: folders, device }, logger, show, stopping.signal)

  function show(): void {
    void Promise.resolve(server?.showPending()).catch((error: unknown) => {
      logger.error({ err: error }, 'pending writes cannot be searched')
    })
  }

  function add(write: Pending): void {
    pending.set(write.seq, write)
    pendingEntries += write.entries ?? 1
  }

  function remove(write: Pending): void {
    pending.delete(write.seq)
    pendingEntries -= write.entries ?? 1
  }

  async function own(): Promise<Journal> {
    if (journal !== undefined) return journal
    const opened = await openJournal(path)
    if (opened === undefined) throw new JournalBusyError()
    const { records, tornBytes } = opened.contents
    removePending(dataDir)
    if (tornBytes > 0)
      logger.warn({ bytes: tornBytes }, 'dropped the last line of the journal, which was torn')
    results = readWriteResults(file)
    served = appliedWrite(results)
    for (const record of records) if (record.seq > served) add(pendingOf(record))
    lastSeq = Math.max(served, records.at(-1)?.seq ?? 0)
    return (journal = opened.journal)
  }

  let opening = own().catch((error: unknown) => {
    if (!(error instanceof JournalBusyError)) throw error
    logger.warn('another server on this data folder takes the writes')
    return undefined
  })
  await opening

  const ownInTurn = async () => {
    const next = opening.then((owned) => owned ?? own())
    opening = next.catch(() => undefined)
    return next
  }

  /** Merges and reloads once. @returns whether there was anything to do */
  async function turn(): Promise<boolean> {
    if (!hasWork()) return false
    const begun = performance.now()
    merging = lastSeq
    let complaint: string | undefined
    const onProblem = (text: string) => (complaint = text)
    if (pending.size > 0 && !(await runMerge(settings, onProblem, stopping.signal)))
      throw new Error(complaint ?? 'the merge ended early')
    results = readWriteResults(file)
    const applied = appliedWrite(results)
    await builder.rebase()
    await server?.reload()
    await builder.retire()
    served = applied
    merging = 0
    for (const write of pending.values()) if (write.seq <= applied) remove(write)
    await journal?.forget(applied)
    const ms = Math.round(performance.now() - begun)
    logger.info({ applied, ms }, 'the writes are merged, and searches find them')
    return true
  }

  const isStopping = () => stopping.signal.aborted
  const hasWork = () => pending.size > 0 || appliedWrite(results) > served

  async function run(): Promise<void> {
    const { signal } = stopping
    const backOff = createBackOff()
    while (!signal.aborted) {
      if (!hasWork()) await new Promise<void>((resolve) => (wake = resolve))
      await delay(gatherMs, undefined, { signal })
      const begun = performance.now()
      let restMs: number
      try {
        await turn()
        problem = null
        backOff.worked()
        if (pending.size === 0) onMerged()
        restMs = Math.min(maxRestMs, restsAMerge * (performance.now() - begun))
      } catch (error) {
        merging = 0
        if (isStopping()) return
        problem = error instanceof Error ? error.message : String(error)
        logger.error({ problem }, 'writes could not be merged; the journal keeps them')
        backOff.failed()
        restMs = backOff.waitMs()
      }
      await delay(restMs, undefined, { signal })
    }
  }

  const taskOf = (write: Pending): Task => ({
    id: write.seq,
    status: write.seq <= merging ? 'running' : 'enqueued',
    kind: write.kind,
    dataset: write.dataset,
    entries: write.entries,
    enqueuedAt: write.at,
    finishedAt: null,
    added: 0,
    updated: 0,
    deleted: 0,
    missing: 0,
    failures: [],
    problem,
  })

  function allTasks(): readonly Task[] {
    const merged = results.filter(({ seq }) => !pending.has(seq))
    return [...merged.map(mergedTask), ...[...pending.values()].map(taskOf)]
  }

  return {
    async write(operation, isKnown = true) {
      const owned = await ownInTurn()
      const { dataset } = operation
      const named =
        operation.kind === 'patch'
          ? [operation.id]
          : operation.kind === 'delete'
            ? operation.ids
            : []
      const isPut = (id: number) =>
        [...pending.values()].some((write) => write.dataset === dataset && write.ids.has(id))
      if (!isKnown && !named.some(isPut))
        throw new NotFoundError(`There is no ${dataset} with this id.`)
      if (pendingEntries > maxPendingEntries) throw new OverloadedError()
      lastSeq += 1
      const record = { seq: lastSeq, at: new Date().toISOString(), operation }
      await owned.append(record)
      const write = pendingOf(record)
      add(write)
      builder.add()
      wake()
      return taskOf(write)
    },
    tasks: () => Promise.resolve(allTasks().toReversed()),
    task: (id) => Promise.resolve(allTasks().find((task) => task.id === id)),
    begin(served, whenMerged) {
      server = served
      show()
      onMerged = whenMerged
      running = run().catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.error({ err: error }, 'writes are not merged any more')
      })
    },
    async stop() {
      stopping.abort()
      wake()
      await running
      await (await opening)?.close()
    },
  }
}

function pendingOf({ seq, at, operation }: WriteRecord): Pending {
  const { kind, dataset } = operation
  const ids = new Set(kind === 'put' ? operation.entries.map(({ id }) => id) : [])
  return { seq, at, kind, dataset, entries: entriesOf(operation), ids }
}

function mergedTask({ seq: id, ...result }: WriteResult): Task {
  const { added, updated, deleted, failures } = result
  const isFailed = failures.length > 0 && added + updated + deleted === 0
  const entries = added + updated + deleted + result.missing + failures.length
  return {
    id,
    status: isFailed ? 'failed' : 'done',
    ...result,
    entries,
    failures: [...failures],
    problem: null,
  }
}
