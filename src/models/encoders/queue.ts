/**
 * What waits in a worker, and which batch is next. Interactive work goes before bulk work, unless
 * bulk work has waited too long. Of its lane everything that waits is taken at once and sorted by
 * length, so that batches have little padding; nothing waits for company.
 */
import type { BatchBudget } from './batch-budget.js'
import type { EncodeRequest } from './protocol.js'
import type { TokenRow } from './session.js'

/** A request on its way. */
export interface Job {
  readonly request: EncodeRequest
  readonly vectors: Float32Array<ArrayBuffer>
  readonly tokens: Uint32Array<ArrayBuffer>
  /** Token ids of each text, where the request wants them. */
  readonly ids: (readonly number[])[]
  /** Texts that no wave has taken yet begin here. */
  next: number
  /** Texts without a vector, or without ids where those are wanted. */
  open: number
  truncated: number
  queriesTruncated: number
  tokenizeMs: number
  inferMs: number
  cancelled: boolean
  error?: string
  /** Positions of the texts whose vectors are not finite. */
  readonly badTexts: number[]
}

/** One text of a job. */
export interface Piece extends TokenRow {
  readonly job: Job
  readonly index: number
}
export type Text = Omit<Piece, keyof TokenRow>

/** Work of one priority. */
export interface Lane {
  /** Jobs with texts that are not tokenised, in order of arrival. */
  readonly jobs: Job[]
  /** Batches that are ready for the model. */
  readonly batches: Piece[][]
  /** Texts that a wave takes. */
  waveTexts: number
}

export interface Queue {
  add(request: EncodeRequest): void
  /** Ids that are unknown or done are ignored. */
  cancel(id: number): void
  /** Whose turn it is; undefined when nothing waits. */
  turn(nowMs: number): Lane | undefined
  /** The texts that are tokenised together next, cancelled ones left out. */
  takeWave(lane: Lane): Text[]
  /** Cuts what was taken into batches for the model. */
  cut(pieces: readonly Piece[]): Piece[][]
  /** Those of the jobs that are all done, not cancelled; they are forgotten. */
  takeDone(jobs: Iterable<Job>): Job[]
}

/**
 * Bulk texts that are tokenised together. 128 are enough to sort, and do not keep an interactive request
 * waiting. There are more where the largest batch has room for more, as a GPU's has.
 */
const bulkWaveTexts = { min: 128, max: 2048 }

/** Bulk work that has had no batch for this long gets one between interactive ones. */
const bulkTimeoutMs = 1000

export function createJob(request: EncodeRequest, dimension: number): Job {
  const count = request.texts.length
  return {
    request,
    vectors: new Float32Array(request.idsOnly === true ? 0 : count * dimension),
    tokens: new Uint32Array(count),
    ids: [],
    next: 0,
    open: count,
    truncated: 0,
    queriesTruncated: 0,
    tokenizeMs: 0,
    inferMs: 0,
    cancelled: false,
    badTexts: [],
  }
}

export function createQueue(
  dimension: number,
  budget: Pick<BatchBudget, 'tokens' | 'waveTokens'>,
): Queue {
  const interactive: Lane = { jobs: [], batches: [], waveTexts: Infinity }
  const bulk: Lane = { jobs: [], batches: [], waveTexts: bulkWaveTexts.min }
  const jobs = new Map<number, Job>()
  let bulkServedMs = 0

  return {
    add(request) {
      const job = createJob(request, dimension)
      jobs.set(request.id, job)
      if (request.bulk && isIdle(bulk)) bulkServedMs = request.requestedMs
      ;(request.bulk ? bulk : interactive).jobs.push(job)
    },
    cancel(id) {
      const job = jobs.get(id)
      if (job !== undefined) job.cancelled = true
      jobs.delete(id)
    },
    turn(nowMs) {
      const bulkIsLate = !isIdle(bulk) && nowMs - bulkServedMs > bulkTimeoutMs
      if (!isIdle(interactive) && !bulkIsLate) return interactive
      if (isIdle(bulk)) return undefined
      bulkServedMs = nowMs
      return bulk
    },
    takeWave(lane) {
      const wave: Text[] = []
      for (let job = lane.jobs[0]; job !== undefined; job = lane.jobs[0]) {
        while (!job.cancelled && job.next < job.request.texts.length) {
          if (wave.length === lane.waveTexts) return wave
          wave.push({ job, index: job.next++ })
        }
        lane.jobs.shift()
      }
      return wave
    },
    cut(pieces) {
      const waveTokens = pieces.reduce((sum, { ids }) => sum + ids.length, 0)
      if (pieces[0]?.job.request.bulk === true) {
        // The next texts are about as long as these.
        const wanted = Math.ceil((budget.waveTokens * pieces.length) / waveTokens)
        bulk.waveTexts = Math.min(Math.max(wanted, bulkWaveTexts.min), bulkWaveTexts.max)
      }
      return cutBatches(pieces, budget.tokens(waveTokens))
    },
    takeDone: (candidates) =>
      [...candidates].filter((job) => job.open === 0 && jobs.delete(job.request.id)),
  }
}

/** Cuts texts into batches of at most `batchTokens` padded tokens, longest first. */
function cutBatches(pieces: readonly Piece[], batchTokens: number): Piece[][] {
  const batches: Piece[][] = []
  let room = 0
  for (const piece of pieces.toSorted((a, b) => b.ids.length - a.ids.length)) {
    if (room === 0) {
      batches.push([])
      room = Math.max(1, Math.floor(batchTokens / piece.ids.length))
    }
    batches.at(-1)?.push(piece)
    room -= 1
  }
  return batches
}

const isIdle = (lane: Lane) => lane.jobs.length === 0 && lane.batches.length === 0
