/** Errors with fields for those who catch them: a code, a command that helps, a time to wait. */
import { NamedError } from './named-error.js'

/** `rows`: the index of rows, which is built from the catalogue. */
export type CatalogueErrorCode = 'missing' | 'unmounted' | 'corrupt' | 'rows' | 'version' | 'closed'

/** A catalogue that cannot be read. The message names the command that fixes it. */
export class CatalogueError extends NamedError {
  readonly remedy: string | undefined

  constructor(
    readonly code: CatalogueErrorCode,
    readonly file: string,
    /** What is wrong, without the file and the remedy. */
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    const remedy = remedies[code]
    const what =
      code === 'rows' ? 'build it again' : 'import your files again, or the included works'
    super(`${file}: ${problem}${remedy === undefined ? '' : `; ${what}: \`${remedy}\``}`, options)
    this.remedy = remedy
  }
}

const includedWorks = 'synoptic data import data/works/anime.json data/works/manga.json'
const remedies: Readonly<Record<CatalogueErrorCode, string | undefined>> = {
  missing: includedWorks,
  corrupt: includedWorks,
  rows: 'synoptic data index',
  version: includedWorks,
  unmounted: undefined,
  closed: undefined,
}

/** Data that cannot be imported. The old catalogue is unchanged. */
export class DataImportError extends NamedError {
  /** @param file the mapping or source file with the fault */
  constructor(
    readonly file: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${problem}`, options)
  }
}

/** A backup that cannot be made or restored. */
export class BackupError extends NamedError {
  constructor(
    readonly file: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`${file}: ${problem}`, options)
  }
}

/** The journal of writes is damaged before its last line: answered writes would be lost. */
export class JournalError extends NamedError {
  constructor(
    readonly file: string,
    readonly line: number,
  ) {
    super(
      `${file}: line ${line} of the journal of writes is damaged; restore a backup (\`synoptic restore FOLDER\`), ` +
        'or move the file away to go on without its writes',
    )
  }
}

/** A dataset that is not in the catalogue. `remedy` adds that of the included works. */
export class DatasetMissingError extends NamedError {
  readonly remedy: string

  constructor(dataset: string) {
    super(`The ${dataset} dataset is not installed.`)
    const isIncluded = dataset === 'anime' || dataset === 'manga'
    this.remedy = `synoptic data import ${isIncluded ? `data/works/${dataset}.json` : 'mine.json'}`
  }
}

/** A request that took longer than `--request-timeout`. */
export class DeadlineError extends NamedError {
  readonly retryAfterSeconds = 1

  constructor(timeoutSeconds: number) {
    super(`The request took longer than ${timeoutSeconds} s and was stopped.`)
  }
}

/** The embeddings and the model's vectors differ in dimension. `remedy` is the command that fixes it. */
export class DimensionMismatchError extends NamedError {
  readonly remedy: string

  constructor(dataset: string, model: string, expected: number, received: number) {
    super(
      `The embeddings of the ${dataset} dataset have ${received} dimensions, ` +
        `but the model ${model} has ${expected}.`,
    )
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}

/** A file of the embeddings is damaged; the cause names it. `remedy` is the command that fixes it. */
export class EmbeddingsBrokenError extends NamedError {
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(`The embeddings of the ${dataset} dataset by the model ${model} are damaged.`, options)
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}

/** The dataset has no embeddings by an installed model. `remedy` is the command that builds them. */
export class EmbeddingsMissingError extends NamedError {
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(`The ${dataset} dataset has no embeddings by the model ${model}.`, options)
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}

/** Embeddings of another version of the dataset or the model. `remedy` is the command that rebuilds them. */
export class EmbeddingsStaleError extends NamedError {
  readonly remedy: string

  constructor(dataset: string, model: string, options?: ErrorOptions) {
    super(
      `The embeddings of the ${dataset} dataset by the model ${model} are out of date.`,
      options,
    )
    this.remedy = `synoptic embed build --dataset ${dataset} --model ${model}`
  }
}

/** A loaded model did not encode: its worker died, ran out of memory, was closed, or gave no numbers. */
export class EncoderError extends NamedError {
  readonly model: string
  /** The part of the message after the model's name. */
  readonly detail: string
  /** `closed`: open the encoder again; `failed`: the same texts may succeed on the next attempt. */
  readonly reason: 'closed' | 'failed'

  /** Positions of the texts that the model gave no finite vector; empty where it failed otherwise. */
  readonly texts: readonly number[]

  constructor(
    model: string,
    reason: 'closed' | 'failed',
    detail: string,
    { texts = [], ...options }: ErrorOptions & { readonly texts?: readonly number[] } = {},
  ) {
    super(`The encoder of ${model} ${detail}`, options)
    this.detail = detail
    this.texts = texts
    this.model = model
    this.reason = reason
  }
}

/** The engine has no index of what is served now; the cause says what differs. `remedy` is the command that makes one. */
export class IndexMismatchError extends NamedError {
  readonly remedy: string

  /** @param options candidates: of searches by a graph, which the index has to have */
  constructor(
    dataset: string,
    model: string,
    options?: ErrorOptions & { readonly candidates?: number | undefined },
  ) {
    super(
      `The search engine has no index of this version of the ${dataset} dataset by the model ${model}.`,
      options,
    )
    const graph =
      options?.candidates === undefined ? '' : ` --index-candidates ${options.candidates}`
    this.remedy = `synoptic embed publish --dataset ${dataset} --model ${model}${graph}`
  }
}

/**
 * The engine that holds the vectors gives no whole answer: it does not answer, is too busy, or has lost a part of
 * the index. The cause says more; the message holds no address.
 */
export class IndexUnavailableError extends NamedError {
  readonly retryAfterSeconds: number

  constructor(what: string, options?: ErrorOptions & { readonly retryAfterSeconds?: number }) {
    super(`The vectors cannot be searched now: ${what}.`, options)
    this.retryAfterSeconds = options?.retryAfterSeconds ?? 1
  }
}

/** A request without a key, or with one that opens nothing. */
export class KeyRequiredError extends NamedError {
  /** The header WWW-Authenticate (RFC 6750). */
  readonly challenge: string

  constructor(reason: keyof typeof reasons) {
    super(`${reasons[reason]} Send it as Authorization: Bearer <key>, or as x-api-key: <key>.`)
    const error = reason === 'missing' ? '' : ', error="invalid_token"'
    this.challenge = `Bearer realm="synoptic"${error}`
  }
}

const reasons = {
  missing: 'This needs an API key.',
  unknown: 'The server does not know this API key. It may have been revoked.',
  expired: 'This API key has expired. Its owner needs a new one.',
} as const

/** The dataset has no map, or one of other texts. `remedy` is the command that makes it. */
export class MapMissingError extends NamedError {
  readonly remedy: string

  constructor(dataset: string) {
    super(`There is no map of the ${dataset} dataset as it is now.`)
    this.remedy = `synoptic embed build --map --dataset ${dataset}`
  }
}

/** The path exists, but not for this method. */
export class MethodNotAllowedError extends NamedError {
  constructor(
    readonly method: string,
    readonly allowed: readonly string[],
  ) {
    super(`Expected the method ${allowed.join(' or ')}, received ${method}.`)
  }
}

/** The files of a model are damaged, incomplete or of an unknown type. */
export class ModelLoadError extends NamedError {
  readonly model: string

  /** @param problem what was expected and what was found, without absolute paths */
  constructor(model: string, problem: string, options?: ErrorOptions) {
    super(`The model ${model} cannot be loaded: ${problem}`, options)
    this.model = model
  }
}

/** A known model that is not installed. `remedy` is the command that installs it. */
export class ModelNotInstalledError extends NamedError {
  readonly model: string
  readonly remedy: string

  /** @param repository the model's repository on the hub, if it has one */
  constructor(model: string, repository: string | undefined) {
    const add = `synoptic models add FOLDER --name ${model}`
    const remedy = repository === undefined ? add : `synoptic models pull ${model}`
    const ways = repository === undefined ? `\`${add}\`` : `\`${remedy}\` or \`${add}\``
    super(`The model ${model} is not installed. To install it, run ${ways}.`)
    this.model = model
    this.remedy = remedy
  }
}

/**
 * An operation of the native core failed. `code` says why: `ENPY_*` for files that are not what
 * we serve, `ECODES_*` for quantized codes, `ETABLE_*` and `ETOKENS_*` (what maxsim reads), `EFILE_*`,
 * `ECUDA_*`, `EDIM_MISMATCH`, `EROWS_MISMATCH`, `EQUERY`, `EARGUMENT`, `ECLOSED`, `ECANCELLED`, `EKERNEL`,
 * `ETHREADS`, `EMEMORY`, `EADDON` (the addon is not built).
 */
export class NativeError extends NamedError {
  readonly code: string
  /** The faulty file, what it was expected to contain, and what it contains. */
  readonly file: string | undefined
  readonly expected: string | undefined
  readonly found: string | undefined

  constructor(
    code: string,
    message: string,
    details: { file?: unknown; expected?: unknown; found?: unknown; cause?: unknown } = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.file = textOf(details.file)
    this.expected = textOf(details.expected)
    this.found = textOf(details.found)
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** No room for another request: every slot of `--limit-concurrency` is in use, or the wait would be too long. */
export class OverloadedError extends NamedError {
  /** Requests take milliseconds, so a second is enough unless the server is too small. */
  readonly retryAfterSeconds: number

  /** @param wait how long the response would take, if that is the reason */
  constructor(wait?: { readonly expectedMs: number; readonly allowedMs: number }) {
    super(
      wait === undefined
        ? 'The server is busy. Try again after the time in Retry-After.'
        : `The server is busy: the response would take about ${seconds(wait.expectedMs)} s, but the request ` +
            `allows ${seconds(wait.allowedMs)} s. Try again after the time in Retry-After.`,
    )
    const overMs = wait === undefined ? 0 : wait.expectedMs - wait.allowedMs
    this.retryAfterSeconds = Math.max(1, Math.ceil(overMs / 1000))
  }
}

const seconds = (durationMs: number) => Number((durationMs / 1000).toPrecision(2))

/** A request with a key that does not open this route. */
export class ScopeError extends NamedError {
  /** The header WWW-Authenticate (RFC 6750). */
  readonly challenge: string

  constructor(expected: string, received: readonly string[]) {
    super(
      `Expected a key with the scope ${expected}, received one with ${received.join(', ')}. ` +
        `\`synoptic keys add <name> --scopes ${expected}\` makes one.`,
    )
    this.challenge = `Bearer realm="synoptic", error="insufficient_scope", scope="${expected}"`
  }
}

/** Settings that cannot be used. Lists all problems, so that one start-up shows them all. */
export class SettingsError extends NamedError {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** The server is stopping and has not begun the request: another replica can take it at once. */
export class StoppingError extends NamedError {
  readonly retryAfterSeconds = 0

  constructor() {
    super(
      'The server is stopping and has not begun this request. Send it again: another one takes it.',
    )
  }
}

/** A model gives some texts of a catalogue no vector that could be compared. */
export class TextVectorsError extends NamedError {
  /** The command that shows more about the model. */
  readonly remedy: string

  constructor(
    readonly model: string,
    readonly texts: readonly UnfitText[],
    options?: ErrorOptions,
  ) {
    const shown = texts
      .slice(0, maxShown)
      .map(({ dataset, id, title, column }) => `${dataset} ${id} (${title}), ${column}`)
      .join('; ')
    const more = texts.length > maxShown ? `; and ${texts.length - maxShown} more` : ''
    super(`The model ${model} gives NaN, infinity or zeros alone for ${shown}${more}`, options)
    this.remedy = `synoptic models check ${model}`
  }
}

const maxShown = 5

/** A text of a catalogue, as a person finds it. */
export interface UnfitText {
  readonly dataset: string
  /** Of its entry, as is the title. */
  readonly id: number
  readonly title: string
  readonly column: string
}

export type TitleIndexErrorCode = 'damaged' | 'version'

/** Bytes that are no index of titles which this program can read; building the catalogue again mends it. */
export class TitleIndexError extends NamedError {
  constructor(
    readonly code: TitleIndexErrorCode,
    /** What is wrong, without the remedy. */
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`The index of titles cannot be read: ${problem}; import the catalogue again`, options)
  }
}

/**
 * Why a call to a remote service failed, by what a caller can do about it: the connection failed (ENETWORK,
 * ETIMEOUT), a longer deadline would help (EDEADLINE), the service failed on every attempt (ESERVER), it
 * refused (ESTATUS), or its response has another content than expected (EBODY, EGRAPHQL).
 */
export type UpstreamErrorCode =
  | 'ENETWORK'
  | 'ETIMEOUT'
  | 'EDEADLINE'
  | 'ESERVER'
  | 'ESTATUS'
  | 'EBODY'
  | 'EGRAPHQL'

/** A remote service gave no usable response. The message never contains credentials. */
export class UpstreamError extends NamedError {
  readonly code: UpstreamErrorCode
  /** HTTP status, if there was a response. */
  readonly status: number | undefined
  /** How long the service allows no further request, if it says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: UpstreamErrorCode,
    message: string,
    details: {
      status?: number | undefined
      retryAfterSeconds?: number | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.status = details.status
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** One problem of a message: its path, and what was expected and received. */
export interface Problem {
  /** Member of the body or the query, with dots if nested; empty for the whole message. */
  readonly path: string
  readonly message: string
}

/** A request body of a type that the server does not read. */
export class UnsupportedMediaTypeError extends NamedError {
  /** @param acceptEncoding the header Accept-Encoding of the response, if the encoding is the fault (RFC 9110, 15.5.16) */
  constructor(
    message: string,
    readonly acceptEncoding?: string,
  ) {
    super(message)
  }
}

/** A member of another server's API has a value that this server does not support. */
export class UnsupportedValueError extends NamedError {
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
  }
}

/** An invalid message. Lists all problems, so that one attempt shows them all. */
export class ValidationError extends NamedError {
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '))
  }
}
