/**
 * The log file. pino-roll writes `api.1.log`, after 10 MiB `api.2.log`, and so on, and removes the oldest
 * files; `api.log` is a link to the current one, so it keeps its name. Writing is asynchronous and in order.
 */
import { lstatSync, renameSync, rmSync, statSync, symlinkSync, type Stats } from 'node:fs'
import { basename, dirname, resolve as resolvePath } from 'node:path'
import { SettingsError } from '../errors/index.js'
import { makeFolder } from '../util/make-folder.js'
import { queueLimitBytes, type LineSink } from './line-sink.js'

const rotateAtBytes = 10 * 1024 * 1024
/** The current file and ten older ones. */
const maxFiles = 11

/** The name of the setting appears in messages. */
interface LogFileOptions {
  readonly setting?: string
  readonly limitBytes?: number
}

/**
 * @param onError takes each error of writing; the next lines try the file again
 * @throws SettingsError where the file is not a regular file; otherwise what opening the file throws
 */
export async function openLogFile(
  file: string,
  onError: (error: unknown) => void,
  { setting = '--log-file', limitBytes = rotateAtBytes }: LogFileOptions = {},
): Promise<LineSink> {
  requireLogFile(file, setting)
  makeFolder(dirname(file))
  // It brings all of date-fns, which a server without a log file does not load.
  const { default: roll } = await import('pino-roll')
  const destination = await roll({
    file,
    size: `${limitBytes}b`,
    limit: { count: maxFiles, removeOtherLogFiles: true },
    maxLength: queueLimitBytes,
  })
  await new Promise<void>((resolve, reject) => {
    destination.once('ready', resolve).once('error', reject)
  })
  destination.on('error', onError)
  const link = () => linkTo(file, currentFile(destination), onError)
  link()
  destination.on('ready', link)

  return {
    write(lines) {
      destination.write(lines)
    },
    close() {
      return new Promise((resolve) => {
        destination.once('close', resolve).once('error', () => {
          destination.destroy()
          resolve()
        })
        destination.end()
      })
    },
  }
}

/**
 * Opening a FIFO would wait for a reader, and a device cannot be rotated.
 *
 * @throws SettingsError
 */
function requireLogFile(file: string, setting: string): void {
  const [character] = /[<>:"|?*]/.exec(file.replace(/^[A-Za-z]:/, '')) ?? []
  if (character !== undefined) {
    throw new SettingsError([`${setting}: expected a path without ${character}, got ${file}`])
  }
  const stats = statOf(file)
  if (stats === undefined || stats.isFile()) return
  throw new SettingsError([
    `${setting}: expected a regular file, or none to write no file; ${file} is ${kindOf(stats)}`,
  ])
}

/** A path that cannot be reached is found out when the file is opened. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a FIFO'
  if (stats.isDirectory()) return 'a folder'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

/** Its types do not say that the destination knows the file. */
const currentFile = (destination: object): string =>
  'file' in destination ? String(destination.file) : ''

/** A regular file of this name, as earlier versions wrote it, becomes the oldest: `api.0.log`. */
function linkTo(file: string, current: string, onError: (error: unknown) => void): void {
  if (resolvePath(current) === resolvePath(file)) return
  const temporary = `${file}.${process.pid}.link`
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) {
      renameSync(file, current.replace(/\.\d+(\.[^.]*)?$/, '.0$1'))
    }
    rmSync(temporary, { force: true })
    symlinkSync(basename(current), temporary)
    renameSync(temporary, file)
  } catch (error) {
    onError(error)
  }
}
