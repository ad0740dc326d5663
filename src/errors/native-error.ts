/**
 * An operation of the native core failed. `code` says why: `ENPY_*` for files that are not what
 * we serve, `EDIM_MISMATCH`, `EROWS_MISMATCH`, `EFILE_OPEN`, `EFILE_CHANGED`, `EFILE_DAMAGED`, `ESHADOW_*` for shadows that are refused, `EQUERY`, `EARGUMENT`,
 * `ETABLE_*` and `ETOKENS_*` (what maxsim reads), `ECLOSED`, `ECANCELLED`, `EKERNEL`, `ETHREADS`, `EMEMORY`, `EADDON` (the addon is not built).
 */
export class NativeError extends Error {
  override readonly name = 'NativeError'
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
