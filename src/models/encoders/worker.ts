/**
 * A worker thread that owns one model. `session.run()` blocks its thread although it answers a
 * promise, so the port is read by hand between batches: that is when newer interactive work
 * overtakes bulk work and when cancelled work is dropped.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type BatchBudget, createBatchBudget } from './batch-budget.js'
import { loadCrossModel } from './cross-model.js'
import { createPairQueue } from './cross-queue.js'
import { giveWay } from '../../native/scheduling/give-way.js'
import type { Batch } from '../../base/observability/metrics-sink.js'
import { modelRevision } from '../format/revision.js'
import { type Model, loadModel } from './model.js'
import { type FromWorker, type ToWorker, type WorkerStart, nowMs } from './protocol.js'
import { type Job, type Lane, type Piece, type Queue, createQueue } from './queue.js'
import { embedBatch, tokenizeWave } from './work.js'

if (parentPort === null) throw new Error('worker.ts runs in a worker thread')
const port = parentPort
const { folder, threads, kind = 'encoder', device = 'cpu', batches } = workerData as WorkerStart
const isCross = kind === 'cross-encoder'

// Before the model is loaded: the threads of its runtime inherit it.
giveWay()

const model = await load()
if (model !== undefined) await serve(model)
port.close()

async function load(): Promise<Model | undefined> {
  try {
    const loaded = isCross
      ? await loadCrossModel(folder, { threads, device })
      : await loadModel(folder, { threads, device, batches })
    const { dimension, maxTokens, vocabulary, cosineInBatch } = loaded
    const revision = isCross ? undefined : await modelRevision(folder)
    send({ kind: 'ready', facts: { dimension, maxTokens, vocabulary, cosineInBatch, revision } })
    return loaded
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    send({ kind: 'unloadable', problem: problem.replaceAll(folder, '.') })
    return undefined
  }
}

async function serve(model: Model): Promise<void> {
  const batches: Batch[] = []
  const budget = createBatchBudget(model.batchSizes)
  const queue = isCross ? createPairQueue(device, threads) : createQueue(model.dimension, budget)
  const state = { closing: false }
  let wake: () => void = () => undefined
  const accept = (message: ToWorker) => {
    if (message.kind === 'close') state.closing = true
    else {
      for (const request of message.requests) queue.add(request)
      for (const id of message.cancelled) queue.cancel(id)
    }
    wake()
  }
  port.on('message', accept)
  for (;;) {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      accept(next.message as ToWorker)
    }
    if (state.closing) break
    const lane = queue.turn(nowMs())
    if (lane === undefined) await new Promise<void>((resolve) => (wake = resolve))
    else answer(queue.takeDone(await advance(model, queue, lane, budget, batches)), batches)
  }
  await model.release()
}

/** Runs a lane's next batch, made of what waits in it; answers the jobs that got on. */
async function advance(
  model: Model,
  queue: Queue,
  lane: Lane,
  budget: BatchBudget,
  batches: Batch[],
): Promise<Set<Job>> {
  const touched = new Set<Job>()
  if (lane.batches.length === 0) {
    const wave = queue.takeWave(lane)
    for (const { job } of wave) touched.add(job)
    lane.batches.push(...queue.cut(await tokenizeWave(model, wave)))
  }
  const batch = lane.batches.shift()?.filter((piece: Piece) => !piece.job.cancelled) ?? []
  for (const { job } of batch) touched.add(job)
  if (batch.length > 0) {
    const measured = measure(batch)
    batches.push(measured)
    const begunMs = nowMs()
    const { tokens, padding } = measured
    // A batch that fails says nothing about the speed.
    if (await embedBatch(model, batch)) {
      budget.report(tokens, tokens + padding, nowMs() - begunMs)
    }
  }
  return touched
}

function measure(batch: readonly Piece[]): Batch {
  const lengths = batch.map(({ ids }) => ids.length)
  const tokens = lengths.reduce((sum, length) => sum + length, 0)
  return { texts: batch.length, tokens, padding: Math.max(...lengths) * batch.length - tokens }
}

/** @param batches what the model has read; emptied once it is reported */
function answer(jobs: readonly Job[], batches: Batch[]): void {
  if (jobs.length === 0) return
  const good = jobs.filter((job) => job.error === undefined)
  const vectors = concatenate(
    Float32Array,
    good.map((job) => job.vectors),
  )
  const tokens = concatenate(
    Uint32Array,
    good.map((job) => job.tokens),
  )
  const ids = Uint32Array.from(good.flatMap((job) => job.ids.flat()))
  const answers = jobs.map((job) => {
    const { request, truncated, queriesTruncated, tokenizeMs, inferMs, error } = job
    return {
      id: request.id,
      count: error === undefined ? request.texts.length : 0,
      vectorCount: error === undefined && request.idsOnly !== true ? request.texts.length : 0,
      idCount: error === undefined ? job.ids.reduce((sum, { length }) => sum + length, 0) : 0,
      truncated,
      queriesTruncated,
      queueMs: Math.max(0, nowMs() - request.requestedMs - tokenizeMs - inferMs),
      tokenizeMs,
      inferMs,
      badTexts: job.badTexts.sort((a, b) => a - b),
      ...(error === undefined ? {} : { error }),
    }
  })
  const buffers = [vectors.buffer, tokens.buffer, ids.buffer]
  send({ kind: 'answers', answers, vectors, tokens, ids, batches: batches.splice(0) }, buffers)
}

type Numbers = Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

function concatenate<T extends Numbers>(make: new (length: number) => T, parts: readonly T[]): T {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0]
  const whole = new make(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

function send(message: FromWorker, transferred: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, [...transferred])
}
