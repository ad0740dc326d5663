/** What a thread that indexes works and the one that started it say to each other: see works-thread.ts. */
import type { MessagePort } from 'node:worker_threads'
import type { PiecesSection } from '../rows/build-row-index.js'

/** Places of the numbers in the shared memory; each wakes who waits for it. */
export const counters = { started: 0, batchesDone: 1, messagesSent: 2 } as const

export interface WorksWorkerStart {
  readonly port: MessagePort
  readonly counts: Int32Array
}

export type ToWorksWorker =
  | {
      readonly kind: 'rows'
      /** As `PackedEntry` has them. */
      readonly values: string[]
      readonly popularity: (number | null)[]
      readonly prose: (string | undefined)[]
    }
  /** All rows are there. */
  | { readonly kind: 'build' }

export type FromWorksWorker =
  | ({ readonly kind: 'section' } & PiecesSection)
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly error: unknown }
