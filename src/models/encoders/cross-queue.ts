/**
 * What waits in a cross-encoder's worker. Every request is a lane of its own and the lanes take turns,
 * a batch each: somebody who has a million pairs scored does not keep others waiting, and nobody's
 * batches are larger or smaller than that request wants them.
 */
import { type Job, type Lane, type Piece, type Queue, createJob } from './queue.js'

/** Batches whose pairs are tokenised and sorted together. */
const waveBatches = 8

/**
 * Most pairs x padded tokens² of one batch, which is what attention takes memory for: MiniLM-L6 takes
 * 504 MB for 8 pairs of 512 tokens, 132 MB for 32 of 128.
 */
export const maxSquaredTokens = { cpu: 2 ** 21, cuda: 2 ** 24 }

/**
 * Most tokens of a batch, padding included, for each thread of a processor: what is worked on stays in its
 * caches. Two threads score pairs of 128 tokens 7 % faster in fours than in batches of 32 or of 2.
 */
const tokensPerThread = { cpu: 256, cuda: Infinity }

/**
 * @param device `cpu` or `cuda:N`
 * @param threads that score a batch together, on a processor
 */
export function createPairQueue(device: string, threads: number): Queue {
  const kind = device === 'cpu' ? 'cpu' : 'cuda'
  const fitting = (tokens: number) =>
    Math.min(maxSquaredTokens[kind] / tokens ** 2, (threads * tokensPerThread[kind]) / tokens)
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
    cut: (pieces) => cutPairs(pieces, fitting),
    takeDone: (candidates) =>
      [...candidates].filter((job) => job.open === 0 && jobs.delete(job.request.id)),
  }
}

/**
 * Cuts the pairs of one job into batches of as many as it wants, longest first.
 * @param fitting how many pairs of so many tokens a batch can have
 */
function cutPairs(pieces: readonly Piece[], fitting: (tokens: number) => number): Piece[][] {
  const batches: Piece[][] = []
  let room = 0
  for (const piece of pieces.toSorted((a, b) => b.ids.length - a.ids.length)) {
    if (room === 0) {
      batches.push([])
      const most = Math.max(1, Math.floor(fitting(piece.ids.length)))
      room = Math.min(batchSizeOf(piece.job), most)
    }
    batches.at(-1)?.push(piece)
    room -= 1
  }
  return batches
}

const isServed = ({ batches }: Lane, { next, request }: Job) =>
  batches.length === 0 && next >= request.texts.length

const batchSizeOf = ({ request }: Job) => Math.max(1, request.pairs?.batchSize ?? 1)
