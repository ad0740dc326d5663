/**
 * What waits in a cross-encoder's worker. Every request is a lane of its own and the lanes take turns,
 * a batch each: somebody who has a million pairs scored does not keep others waiting, and nobody's
 * batches are larger or smaller than that request wants them.
 */
import { type Job, type Lane, type Piece, type Queue, createJob } from './queue.js'

/** Batches whose pairs are tokenised and sorted together. */
const waveBatches = 8

/**
 * Most pairs x padded tokens² of one batch. Attention keeps as many numbers a head: 0.8 GB with twelve
 * heads. 512 pairs of 181 tokens fit, and 64 of 512.
 */
const mostSquaredTokens = 2 ** 24

export function createPairQueue(): Queue {
  const lanes: Lane[] = []
  const jobs = new Map<number, Job>()

  return {
    add(request) {
      const job = createJob(request, 1)
      jobs.set(request.id, job)
      const waveTexts = waveBatches * batchSizeOf(job)
      lanes.push({ jobs: [job], batches: [], waveTexts })
    },
    cancel(id) {
      const job = jobs.get(id)
      if (job !== undefined) job.cancelled = true
      jobs.delete(id)
    },
    turn() {
      for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
        const [job] = lane.jobs
        if (job === undefined || job.cancelled || isServed(lane, job)) continue
        lanes.push(lane)
        return lane
      }
      return undefined
    },
    takeWave({ jobs: [job], waveTexts }) {
      if (job === undefined) return []
      const begin = job.next
      job.next = Math.min(begin + waveTexts, job.request.texts.length)
      return Array.from({ length: job.next - begin }, (_, i) => ({ job, index: begin + i }))
    },
    cut: (pieces) => cutPairs(pieces),
    takeDone: (candidates) =>
      [...candidates].filter((job) => job.open === 0 && jobs.delete(job.request.id)),
  }
}

/** Cuts the pairs of one job into batches of as many as it wants, longest first. */
function cutPairs(pieces: readonly Piece[]): Piece[][] {
  const batches: Piece[][] = []
  let room = 0
  for (const piece of pieces.toSorted((a, b) => b.ids.length - a.ids.length)) {
    if (room === 0) {
      batches.push([])
      const fitting = Math.floor(mostSquaredTokens / piece.ids.length ** 2)
      room = Math.min(batchSizeOf(piece.job), Math.max(1, fitting))
    }
    batches.at(-1)?.push(piece)
    room -= 1
  }
  return batches
}

const isServed = ({ batches }: Lane, { next, request }: Job) =>
  batches.length === 0 && next >= request.texts.length

const batchSizeOf = ({ request }: Job) => Math.max(1, request.pairs?.batchSize ?? 1)
