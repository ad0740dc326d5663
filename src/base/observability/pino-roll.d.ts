/** The part of pino-roll that the log uses; the package has no types. */
declare module 'pino-roll' {
  import type { destination } from 'pino'

  export interface RollOptions {
    readonly file: string
    /** A number with its unit: `10m`, `1000b`. */
    readonly size: string
    readonly limit: { readonly count: number; readonly removeOtherLogFiles: boolean }
    /** Bytes that may wait to be written; further lines are dropped. */
    readonly maxLength: number
  }

  /** Resolves before the file is open: `ready` or `error` follows. */
  export default function roll(options: RollOptions): Promise<ReturnType<typeof destination>>
}
