/**
 * maxsim: how well the texts of an entry cover a query, word by word. Each of the query's tokens
 * looks for its nearest in the text by cosine of the token table's rows; the cosines, raised to a
 * power, are averaged with weights. The same bits on every machine; see native/core/maxsim/max_sim.h.
 */
import { NativeError } from '../../base/errors/index.js'
import { loadAddon, toNativeError } from './addon.js'
import type { NativeMaxSim } from './contract.js'
import { type VerifyOptions, verifyNative } from './verify.js'

export interface MaxSimOptions {
  readonly table: {
    /** int8 rows, tokens x dimension, then a float32 scale a token. */
    readonly path: string
    readonly tokens: number
    /** A multiple of 64, at most 1024. */
    readonly dimension: number
  }
  readonly columns: readonly MaxSimColumn[]
}

interface MaxSimColumn {
  readonly name: string
  /** A `.tokens` file. */
  readonly path: string
  /** The 32 bytes that the file must have been written with. */
  readonly source: Uint8Array
}

/** One way to weigh the query's tokens. */
interface MaxSimMeasure {
  /** An integer from 1 to 16. */
  readonly exponent: number
  /** Above 0, at most 1: the cosine from which on a token counts as found in the text. */
  readonly fullCosine: number
  /** One a token, none negative. */
  readonly weights: Float32Array
}

interface MaxSimScores {
  /** Rows x measures, each the best of the row's texts; 0 to 1. */
  readonly scores: Float32Array
  /** Rows x measures, of all texts of the row as one; not below `scores`. */
  readonly together: Float32Array
  /** The best text by the first measure; `noColumn` for a row whose texts have no token. */
  readonly columns: Uint16Array
}

export interface MaxSimIndex {
  readonly rows: number
  /** Names of the columns, in the order of the results' numbers. */
  readonly columns: readonly string[]
  /** Of each token's row: how much it counts in a text's vector. */
  readonly tokenNorms: Float32Array
  /** Bytes of files that are mapped, shared between processes. */
  readonly mappedBytes: number
  /** @param tokens of the query, each once */
  score(
    tokens: Uint16Array,
    measures: readonly MaxSimMeasure[],
    options?: {
      /** Rows to score, in the order of the result; all when omitted. */
      readonly rows?: Uint32Array
      /** Aborting drops the work; the promise rejects with the signal's reason. */
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<MaxSimScores>
  /** Checks the lists against their sums; see VectorIndex.verify. */
  verify(options: VerifyOptions): Promise<number>
  /** Idempotent; work in flight finishes. */
  close(): void
}

/** maxsim of texts that callers send, by the table alone. */
export interface TextScorer {
  readonly tokenNorms: Float32Array
  /**
   * Texts x measures, 0 to 1.
   * @param tokens of the query, each once
   * @param textTokens of all texts one after the other
   * @param counts tokens of each text
   */
  score(
    tokens: Uint16Array,
    measures: readonly MaxSimMeasure[],
    textTokens: Uint16Array,
    counts: Uint32Array,
    signal?: AbortSignal,
  ): Promise<Float32Array>
  /** Idempotent; work in flight finishes. */
  close(): void
}

export const noColumn = 0xffff

const sourceBytes = 32
/** Cosines are compared as integers of 15 bits. */
const maxLevel = 32_767
const maxExponent = 16
let lastTicket = 0

/** Maps and validates the table and the lists. Rejects with NativeError, which names the file. */
export async function openMaxSim({ table, columns }: MaxSimOptions): Promise<MaxSimIndex> {
  if (columns.length === 0) refuse('columns', 'at least 1', 0)
  const sources = new Uint8Array(columns.length * sourceBytes)
  columns.forEach(({ name, source }, column) => {
    if (source.length !== sourceBytes) {
      refuse(`source of ${name}`, `${sourceBytes} bytes`, source.length)
    }
    sources.set(source, column * sourceBytes)
  })
  const paths = columns.map(({ path }) => path)
  try {
    const addon = loadAddon()
    const native = await addon.openMaxSim(table.path, table.tokens, table.dimension, paths, sources)
    return createIndex(
      native,
      columns.map(({ name }) => name),
    )
  } catch (error) {
    throw toNativeError(error)
  }
}

/** Maps and measures the table. Rejects with NativeError, which names the file. */
export async function openTextScorer(table: MaxSimOptions['table']): Promise<TextScorer> {
  try {
    const { path, tokens, dimension } = table
    const native = await loadAddon().openMaxSim(path, tokens, dimension, [], new Uint8Array())
    return {
      tokenNorms: native.tokenNorms(),
      async score(tokens, measures, textTokens, counts, signal) {
        let end = 0
        const ends = counts.map((count) => (end += count))
        const { scores } = await run(native, tokens, measures, signal, (ticket, ...measured) =>
          native.scoreTexts(tokens, ...measured, textTokens, ends, ticket),
        )
        return scores
      },
      close: () => native.close(),
    }
  } catch (error) {
    throw toNativeError(error)
  }
}

function createIndex(native: NativeMaxSim, columns: readonly string[]): MaxSimIndex {
  const { rows, mappedBytes } = native
  const tokenNorms = native.tokenNorms()
  return {
    rows,
    columns,
    tokenNorms,
    mappedBytes,
    score: (tokens, measures, { rows, signal } = {}) =>
      run(native, tokens, measures, signal, (ticket, ...measured) =>
        native.score(tokens, ...measured, rows, ticket),
      ),
    verify: (options) => verifyNative(native, options),
    close: () => native.close(),
  }
}

/** Exponents, full levels and weights as the addon takes them. */
type Measured = readonly [Uint8Array, Uint16Array, Float32Array]

/** Checks the measures, starts a run, and cancels it when the signal aborts. */
async function run(
  native: NativeMaxSim,
  tokens: Uint16Array,
  measures: readonly MaxSimMeasure[],
  signal: AbortSignal | undefined,
  start: (ticket: number, ...measured: Measured) => Promise<MaxSimScores>,
): Promise<MaxSimScores> {
  checkMeasures(measures)
  const exponents = Uint8Array.from(measures, ({ exponent }) => exponent)
  const full = Uint16Array.from(measures, ({ fullCosine }) => Math.round(fullCosine * maxLevel))
  const weights = joinWeights(tokens.length, measures)
  signal?.throwIfAborted()
  lastTicket = (lastTicket + 1) % 2 ** 32
  const ticket = lastTicket
  const cancel = (): void => native.cancel(ticket)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await start(ticket, exponents, full, weights)
  } catch (error) {
    signal?.throwIfAborted()
    throw toNativeError(error)
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

function checkMeasures(measures: readonly MaxSimMeasure[]): void {
  for (const { exponent, fullCosine } of measures) {
    if (!Number.isInteger(exponent) || exponent < 1 || exponent > maxExponent) {
      refuse('exponent', `an integer from 1 to ${maxExponent}`, exponent)
    }
    if (!(fullCosine * maxLevel >= 0.5 && fullCosine <= 1)) {
      refuse('fullCosine', 'a number above 0, at most 1', fullCosine)
    }
  }
}

function joinWeights(tokenCount: number, measures: readonly MaxSimMeasure[]): Float32Array {
  const joined = new Float32Array(measures.length * tokenCount)
  measures.forEach(({ weights }, measure) => {
    if (weights.length !== tokenCount) {
      refuse('weights', `one for each of the ${tokenCount} tokens`, weights.length)
    }
    joined.set(weights, measure * tokenCount)
  })
  return joined
}

function refuse(argument: string, expected: string, received: number): never {
  throw new NativeError('EARGUMENT', `${argument}: expected ${expected}, received ${received}`)
}
