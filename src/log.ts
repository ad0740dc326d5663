/**
 * The log: one JSON object a line to the rotating file, and to stderr, readable where that is a
 * terminal. Descriptions and queries never go into it, nor do messages that could quote them.
 */
import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import { openRotatingFile } from './log/rotating-file.js'

export interface Log {
  readonly logger: Logger
  /** Writes what is buffered. */
  close(): Promise<void>
}

export interface LogOptions {
  readonly level: string
  /** Path of the log file; `none` writes none. */
  readonly file: string
}

/** A file that cannot be written costs one warning; the server goes on without it. */
export function openLog({ level, file }: LogOptions): Log {
  const console = process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' })
    : pino.destination({ fd: 2, sync: false })
  // Nobody reads stderr any more: no reason to stop serving.
  console.on('error', () => undefined)
  const streams = pino.multistream({ stream: console, level: 'trace' })
  const logger = pino({ level, timestamp: pino.stdTimeFunctions.isoTime }, streams)
  let closeFile = () => Promise.resolve()
  if (file !== 'none') {
    try {
      const rotating = openRotatingFile(file, (error) => {
        logger.warn({ code: error.code }, `the log file ${file} cannot be written; going on`)
      })
      streams.add({ stream: rotating, level: 'trace' })
      closeFile = () => rotating.close()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      logger.warn({ code }, `the log file ${file} cannot be written; set --log-file. Going on`)
    }
  }
  return {
    logger,
    async close() {
      if ('flushSync' in console) console.flushSync()
      await closeFile()
    },
  }
}
