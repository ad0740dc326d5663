/** Errors that say everything in their message. */
import { NamedError } from './named-error.js'

/** The client closed its connection before the response. Its work is dropped. */
export class ClientGoneError extends NamedError {
  constructor(options?: ErrorOptions) {
    super('The client closed the connection before the response.', options)
  }
}

/** A file of descriptions that cannot be read. The message names the line with the fault. */
export class DescriptionsError extends NamedError {
  constructor(file: string, line: number | undefined, problem: string, options?: ErrorOptions) {
    super(`${file}${line === undefined ? '' : `:${line}`}: ${problem}`, options)
  }
}

/** Another process is building the same embeddings. */
export class EmbeddingsBusyError extends NamedError {
  constructor(dataset: string, model: string) {
    super(
      `Another process is building the embeddings of the ${dataset} dataset by the model ${model}.`,
    )
  }
}

/** A request of a web page that may not call, or for a host that is not this server. */
export class ForeignRequestError extends NamedError {}

/** Embeddings of other software that cannot be imported. Nothing is changed. */
export class EmbeddingsImportError extends NamedError {
  constructor(problem: string, options?: ErrorOptions) {
    super(`The embeddings were not imported: ${problem}.`, options)
  }
}

/** The header Expect has a value other than 100-continue. */
export class ExpectationFailedError extends NamedError {
  constructor() {
    super('Expected the header Expect to be absent or 100-continue.')
  }
}

/** Request headers beyond what Node reads (`--max-http-header-size` of Node, 16 KiB). */
export class HeadersTooLargeError extends NamedError {
  constructor(options?: ErrorOptions) {
    super('The request headers are larger than 16 KiB.', options)
  }
}

/** The server cannot listen on its address. */
export class ListenError extends NamedError {
  constructor(host: string, port: number, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    const problem =
      problems[code] ?? `cannot be used (${code}); choose others with --host and --port`
    super(`port ${port} of ${host} ${problem}`, { cause })
  }
}

const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use; choose another with --port',
  EACCES: 'needs more rights; choose one above 1023 with --port',
  EADDRNOTAVAIL: 'does not exist: the machine has no such address; choose another with --host',
  ENOTFOUND: 'does not exist: the host is unknown; choose another with --host',
}

/** The bytes are not an HTTP request, or its target or Host is not valid. */
export class MalformedRequestError extends NamedError {
  constructor(options?: ErrorOptions) {
    super('Expected an HTTP request with a valid path and Host header.', options)
  }
}

/** A model that cannot be installed from its folder. Nothing is changed. */
export class ModelAddError extends NamedError {
  constructor(model: string, problem: string) {
    super(`The model ${model} was not added: ${problem}.`)
  }
}

/** A request names a model that is not served: unknown, of another kind, or not installed. */
export class ModelNotFoundError extends NamedError {}

/** A model that could not be fetched, for a reason on this side of the hub. */
export class ModelPullError extends NamedError {
  constructor(model: string, problem: string, options?: ErrorOptions) {
    super(`The model ${model} was not pulled: ${problem}.`, options)
  }
}

/** The header Accept leaves out what the route answers with. */
export class NotAcceptableError extends NamedError {}

/** A server that takes no writes: they need keys, and vectors of its own. */
export class WritesOffError extends NamedError {
  constructor() {
    super(
      'This server takes no writes: it needs keys (--api-keys), and its own embeddings (--index files).',
    )
  }
}

/** Another server on the same data folder keeps the journal of writes. */
export class JournalBusyError extends NamedError {
  constructor() {
    super('Another server on this data folder takes the writes; send them there.')
  }
}

/** The path, the model or the entry does not exist. */
export class NotFoundError extends NamedError {}

/** A request body beyond `--body-limit`, or `--v1-body-limit` on the routes of v1. */
export class PayloadTooLargeError extends NamedError {
  /** @param setting named where it is not the usual one */
  constructor(limitBytes: number, setting?: string) {
    const knob = setting === undefined ? '' : ` The server's setting ${setting} sets the limit.`
    super(`The request body is larger than ${limitBytes} bytes.${knob}`)
  }
}

/** A part of the program has no library for this system. The message says which systems it has one for. */
export class PlatformError extends NamedError {}

/** A step that runs in Python failed, or there is no Python. */
export class PythonError extends NamedError {}

/** The limit of a route group for each address, or that of a key. */
export type ExceededLimit =
  | { readonly group: string; readonly perSecond: number }
  | { readonly key: string; readonly perMinute: number }

/** A client exceeds `--rate-limit`, or the limit of its key. */
export class RateLimitedError extends NamedError {
  constructor(limit: ExceededLimit) {
    super('key' in limit ? messageOfKey(limit) : messageOfGroup(limit))
  }
}

const countOf = (requests: number) => (requests === 1 ? '1 request' : `${requests} requests`)

const messageOfGroup = ({ group, perSecond }: Extract<ExceededLimit, { group: string }>) =>
  `The limit is ${countOf(perSecond)} per second from one address. ${advice} ` +
  `The server's setting --rate-limit ${group}=${perSecond} sets it; 0 means no limit.`

const messageOfKey = ({ key, perMinute }: Extract<ExceededLimit, { key: string }>) =>
  `The limit of the key ${key} is ${countOf(perMinute)} per minute. ${advice}`

const advice = 'Try again after the time in Retry-After.'

/** A client that took longer than `--request-timeout` to send its request. */
export class SlowRequestError extends NamedError {
  constructor(options?: ErrorOptions) {
    super('The request did not arrive in time.', options)
  }
}

/** More texts in one request than `--v1-max-inputs`. */
export class TooManyInputsError extends NamedError {
  /** @param member of the request, such as `input` */
  constructor(member: string, received: number, limit: number) {
    super(
      `${member}: expected at most ${limit} texts in one request, received ${received}. ` +
        "Send them in parts; the server's setting --v1-max-inputs sets the limit.",
    )
  }
}

/** A request body in a transfer coding that the server does not decode. */
export class TransferCodingError extends NamedError {
  constructor() {
    super('Expected the header Transfer-Encoding to be absent or chunked.')
  }
}

/** A name that is not in the list of models. */
export class UnknownModelError extends NamedError {}
