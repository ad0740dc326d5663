/**
 * An encoder whose model lives in a worker thread. Requests of one turn of the event loop travel in
 * one message. A worker that dies rejects its work; the next request starts another.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { EncoderError, ModelLoadError } from '../../base/errors/index.js'
import { noMetricsSink, type MetricsSink } from '../../base/observability/metrics-sink.js'
import { createBackOff } from '../../base/util/back-off.js'
import { checkTexts } from './check-texts.js'
import type { EncodeOptions, Encoder, Encoding, TextInput, Tokens } from './encoder.js'
import {
  type EncodeRequest,
  type ModelFacts,
  type PairRequest,
  type WorkerStart,
  nowMs,
} from './protocol.js'
import { type Answers, type WorkerLink, startWorker } from './worker-link.js'

export interface WorkerEncoder extends Encoder {
  /** Least cosine of a text's vector alone and among others; see batch-check. */
  readonly cosineInBatch: number
  encode(texts: readonly TextInput[], options?: WorkerEncodeOptions): Promise<WorkerEncoding>
  /** Resolves when no request is under way. */
  idle(): Promise<void>
}

interface WorkerEncodeOptions extends EncodeOptions {
  /** The query with which a cross-encoder reads each text. */
  readonly pairs?: PairRequest
}

export interface WorkerEncoding extends Encoding {
  /** Pairs whose query was cut too. */
  readonly queriesTruncated: number
}

/** An encoding, and the ids of a request that wants ids. */
interface Answer extends WorkerEncoding {
  readonly ids: Uint32Array
}

interface EncodeParts {
  readonly pairs?: PairRequest | undefined
  readonly idsOnly?: boolean
}

interface Waiter {
  resolve(answer: Answer): void
  reject(reason: unknown): void
}

/** Resolves when the model is loaded; rejects with a ModelLoadError. */
export async function openWorkerEncoder(
  start: WorkerStart,
  metrics: Pick<MetricsSink, 'batch'> = noMetricsSink,
): Promise<WorkerEncoder> {
  const { model } = start
  const waiters = new Map<number, Waiter>()
  const backOff = createBackOff()
  let outbox: EncodeRequest[] = []
  let cancelled: number[] = []
  let idleWaiters: (() => void)[] = []
  let lastId = 0
  let flushing = false
  const end = new AbortController()
  let starting: Promise<void> | undefined
  let link: WorkerLink | undefined
  let facts: ModelFacts | undefined
  const first = await connect()
  const { dimension, maxTokens, vocabulary, cosineInBatch, revision } = first.facts
  first.unref()

  return {
    model,
    dimension,
    maxTokens,
    vocabulary,
    cosineInBatch,
    device: start.device ?? 'cpu',
    revision,
    encode,
    tokenize,
    idle,
    close,
  }

  function encode(
    texts: readonly TextInput[],
    { pairs, ...options }: WorkerEncodeOptions = {},
  ): Promise<WorkerEncoding> {
    return ask(texts, { pairs }, options)
  }

  async function tokenize(texts: readonly string[], options?: EncodeOptions): Promise<Tokens> {
    const { ids, tokens } = await ask(texts, { idsOnly: true }, options)
    return { ids, counts: tokens }
  }

  async function ask(
    texts: readonly TextInput[],
    parts: EncodeParts,
    { signal, priority }: EncodeOptions = {},
  ): Promise<Answer> {
    checkTexts(texts)
    if (end.signal.aborted) throw closedError(model)
    signal?.throwIfAborted()
    if (texts.length === 0) return emptyAnswer()
    const id = (lastId += 1)
    outbox.push({ id, texts, bulk: priority === 'bulk', ...parts, requestedMs: nowMs() })
    flushSoon()
    const abort = () => drop(id, signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await new Promise((resolve, reject) => waiters.set(id, { resolve, reject }))
    } finally {
      signal?.removeEventListener('abort', abort)
      waiters.delete(id)
      if (waiters.size === 0) becomeIdle()
    }
  }

  /** Once a turn of the event loop: what arrives together travels together. */
  function flushSoon(): void {
    if (flushing) return
    flushing = true
    setImmediate(() => {
      flushing = false
      if (link !== undefined) flush(link)
      else if (outbox.length > 0 && !end.signal.aborted) starting ??= restart()
    })
  }

  function flush(to: WorkerLink): void {
    const requests = outbox.filter(({ id }) => waiters.has(id))
    if (requests.length + cancelled.length > 0) to.send({ kind: 'work', requests, cancelled })
    if (waiters.size > 0) to.ref()
    else to.unref()
    outbox = []
    cancelled = []
  }

  async function connect(): Promise<WorkerLink> {
    const started = await startWorker(start, settle)
    facts ??= started.facts
    if (started.facts.revision !== facts.revision) {
      await started.close()
      // Embeddings and the vectors of queries that are kept are the old files'.
      throw new ModelLoadError(model, replacedProblem)
    }
    link = started
    void started.died.then(fail)
    return started
  }

  async function restart(): Promise<void> {
    try {
      await delay(backOff.waitMs(), undefined, { signal: end.signal })
      const next = await connect()
      if (end.signal.aborted) await next.close()
    } catch (error) {
      backOff.failed()
      rejectAll(error)
    }
    starting = undefined
    flushSoon()
  }

  function settle({ answers, vectors, tokens, ids, batches }: Answers): void {
    backOff.worked()
    for (const batch of batches) metrics.batch(model, batch)
    const whole = answers.length === 1
    const nextVectors = cutter(vectors, whole)
    const nextTokens = cutter(tokens, whole)
    const nextIds = cutter(ids, whole)
    for (const { id, count, vectorCount, idCount, error, badTexts, ...sums } of answers) {
      const { truncated, queriesTruncated, ...timings } = sums
      const answer = {
        vectors: nextVectors(vectorCount * dimension),
        tokens: nextTokens(count),
        ids: nextIds(idCount),
        truncated,
        queriesTruncated,
        timings,
      }
      const waiter = waiters.get(id)
      if (error === undefined) waiter?.resolve(answer)
      else
        waiter?.reject(new EncoderError(model, 'failed', `failed: ${error}`, { texts: badTexts }))
    }
  }

  function drop(id: number, reason: unknown): void {
    cancelled.push(id)
    waiters.get(id)?.reject(reason)
    flushSoon()
  }

  function fail(error: EncoderError): void {
    link = undefined
    backOff.failed()
    rejectAll(error)
  }

  function rejectAll(error: unknown): void {
    for (const waiter of waiters.values()) waiter.reject(error)
    outbox = []
    cancelled = []
  }

  function becomeIdle(): void {
    link?.unref()
    for (const tell of idleWaiters) tell()
    idleWaiters = []
  }

  async function idle(): Promise<void> {
    if (waiters.size > 0) await new Promise<void>((resolve) => idleWaiters.push(resolve))
  }

  async function close(): Promise<void> {
    if (!end.signal.aborted) rejectAll(closedError(model))
    end.abort()
    await starting
    await link?.close()
  }
}

/** Takes copies of one part after the other; all, as it is, where there is one part. */
function cutter<T extends Float32Array | Uint32Array>(
  numbers: T,
  whole: boolean,
): (length: number) => T {
  let start = 0
  return (length) => (whole ? numbers : (numbers.slice(start, (start += length)) as T))
}

const replacedProblem =
  'its files have been replaced while it was in use; a server takes in the new ones when it is reloaded (SIGHUP)'

const closedError = (model: string) => new EncoderError(model, 'closed', 'is closed')

const emptyAnswer = (): Answer => ({
  vectors: new Float32Array(0),
  tokens: new Uint32Array(0),
  ids: new Uint32Array(0),
  truncated: 0,
  queriesTruncated: 0,
  timings: { queueMs: 0, tokenizeMs: 0, inferMs: 0 },
})
