/**
 * The log: one JSON object a line to the log file, and to stderr, readable where that is a
 * terminal. Descriptions and queries never go into it, nor do messages that could quote them;
 * an API key that a client sends in the wrong place is made unreadable.
 */
import { createRequire } from 'node:module'
import pino, { type Logger } from 'pino'
import type PinoPretty from 'pino-pretty'
import { SettingsError } from '../errors/index.js'
import { withoutKeys } from '../keys/api-key.js'
import { asciiControls, printableJson } from '../util/printable.js'
import { queueLimitBytes, type LineSink } from './line-sink.js'
import { openLogFile } from './log-file.js'

export interface Log {
  readonly logger: Logger
  /** A line that another process of this server has logged. */
  writeLine(line: string): void
  /** Writes what is queued. */
  close(): Promise<void>
}

export interface LogOptions {
  readonly level: string
  /** Path of the log file; `none` writes none. */
  readonly file: string
}

/** A reader of stderr that takes nothing for so long does not keep the process from its end. */
const closeTimeoutMs = 1000

/** A write costs as much as a small request; lines that come within this time share one. */
const batchMs = 20

/**
 * A file that cannot be written costs one warning; the server goes on without it.
 *
 * @throws SettingsError where the setting names what can never be a log file
 */
export async function openLog({ level, file }: LogOptions): Promise<Log> {
  const console = openConsole()
  let logFile: LineSink | undefined
  let hasWarned = false
  let lines: string[] = []
  const flush = () => {
    const text = withoutKeys(asciiControls(lines.join('')))
    lines = []
    if (text === '') return
    console.write(text)
    logFile?.write(text)
  }
  const writeLine = (line: string) => {
    if (lines.push(line) === 1) setTimeout(flush, batchMs).unref()
  }
  const logger = pino({ level, timestamp: pino.stdTimeFunctions.isoTime }, { write: writeLine })
  const warn = (error: unknown) => {
    if (hasWarned) return
    hasWarned = true
    logger.warn({ err: error }, `the log file ${file} cannot be written; going on`)
  }
  try {
    if (file !== 'none') logFile = await openLogFile(file, warn)
  } catch (error) {
    if (error instanceof SettingsError) throw error
    warn(error)
  }
  return {
    logger,
    writeLine,
    async close() {
      flush()
      await Promise.all([console.close(), logFile?.close()])
    },
  }
}

/** One line a message, so that what was said before stays on the screen: the address, at a start. */
const forPeople = {
  ignore: 'pid,hostname,phases',
  translateTime: 'SYS:HH:MM:ss',
  singleLine: true,
} as const

/** stderr, so that stdout is free for what a command prints. */
function openConsole(): LineSink {
  if (process.stderr.isTTY) {
    // For people alone; a service starts without it.
    const pretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty
    const terminal = pretty({ ...forPeople, destination: 2, sync: true })
    return {
      write: (lines) => void terminal.write(printableJson(lines)),
      close: () => Promise.resolve(),
    }
  }
  let isClosing = false
  let hasGivenUp = false
  let takenMs = 0
  const isTaking = () => performance.now() - takenMs < closeTimeoutMs
  const stream = pino.destination({
    fd: 2,
    sync: false,
    // `flush` waits for writes under way only where there is a least length.
    minLength: 1,
    // What nobody reads is dropped beyond this.
    maxLength: queueLimitBytes,
    // Called where the reader of stderr has no room for more.
    retryEAGAIN: () => !isClosing || isTaking(),
  })
  stream.on('write', () => (takenMs = performance.now()))
  // Nobody reads stderr any more: no reason to stop serving.
  stream.on('error', () => undefined)
  return {
    write(line) {
      if (!hasGivenUp) stream.write(line)
    },
    close() {
      takenMs = performance.now()
      isClosing = true
      return new Promise((resolve) => {
        stream.flush((error) => {
          hasGivenUp = error !== undefined
          // Or pino would try once more when the process exits.
          if (hasGivenUp) stream.destroy()
          resolve()
        })
      })
    },
  }
}
