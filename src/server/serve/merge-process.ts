/** A process of its own that merges the journal at a low priority: `node merge-process.js JSON`. It ends with its parent. */
import { setTimeout as delay } from 'node:timers/promises'
import {
  beginBackgroundWork,
  endBackgroundWork,
  reportProblem,
} from '../../base/util/background-work.js'
import { mergeWrites, type MergeSettings } from '../../data/writes/merge-writes.js'

export interface MergeWork {
  readonly settings: MergeSettings
  readonly device: string
}

/** Of another process that builds the catalogue or its embeddings. */
const busyMs = 1000

/** Somebody waits for the merge: it gets a third of what a search gets. */
const priority = 5

const { work, signal } = beginBackgroundWork(priority)
const { settings, device } = work as MergeWork
try {
  for (;;) {
    const merged = await mergeWrites(settings, { device, signal })
    if (merged?.more === false) break
    if (merged === undefined) await delay(busyMs, undefined, { signal })
  }
} catch (error) {
  reportProblem(error, signal)
} finally {
  endBackgroundWork()
}
