/** Where the lines of the log go. */
export interface LineSink {
  /** One or more whole lines. */
  write(lines: string): void
  /** Writes what is queued; nothing may be written afterwards. */
  close(): Promise<void>
}

/** Lines that wait for a slow reader, or a full disk, are dropped beyond this. */
export const queueLimitBytes = 4 * 1024 * 1024
