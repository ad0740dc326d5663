/**
 * A process of its own that makes writes searchable before they are merged: `node pending-process.js JSON`. It reads the
 * journal whenever its parent says so, and ends with its parent.
 */
import { beginBackgroundWork } from '../../base/util/background-work.js'
import { journalFile, readJournal } from '../../data/writes/journal.js'
import type { MergeSettings } from '../../data/writes/merge-writes.js'
import { openPending, type Pending } from '../../data/writes/pending.js'
import { createEncoders } from '../../models/residency/encoders.js'

export interface PendingWork {
  readonly settings: MergeSettings
  readonly device: string
}

/**
 * `add`: there are more writes. `rebase`: the catalogue on disk is another one, which will be served: writes count on it, too.
 * `retire`: the catalogue before it is not served any more.
 */
export type PendingRequest = 'add' | 'rebase' | 'retire'

/** The reply to each request, in their order. */
export interface PendingReply {
  readonly done: PendingRequest
  /** Why some writes are not searchable before they are merged. */
  readonly trouble?: string
}

/** Somebody waits for it: it gets a third of what a search gets. */
const priority = 5

const { work, signal } = beginBackgroundWork(priority)
const { settings, device } = work as PendingWork
const encoders = createEncoders({ isBulk: true, ...(device !== 'auto' && { device }) })
const bases: Pending[] = []

async function handle(request: PendingRequest): Promise<void> {
  if (request === 'rebase' || bases.length === 0) bases.push(await openPending(settings, encoders))
  if (request === 'retire') {
    for (const old of bases.splice(0, bases.length - 1)) {
      old.close()
      old.remove()
    }
    return
  }
  const { records } = readJournal(journalFile(settings.dataDir))
  for (const base of bases) await base.add(records)
}

const reply = (message: PendingReply) => process.send?.(message)

let running = Promise.resolve()
process.on('message', (request: PendingRequest) => {
  running = running.then(async () => {
    try {
      await handle(request)
      reply({ done: request })
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error)
      reply({ done: request, trouble })
    }
  })
})
signal.addEventListener('abort', () => process.exit())
