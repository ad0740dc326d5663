/**
 * The log file: `api.1.log`, after 10 MiB `api.2.log`, and so on; the oldest files are removed. `api.log` is a link to
 * the current one, so it keeps its name. Writing is asynchronous and in order.
 */
import { lstatSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { basename, dirname, join, parse } from 'node:path'
import sonicBoom from 'sonic-boom'
import { SettingsError } from '../errors/index.js'
import { makeFolder } from '../util/make-folder.js'
import { queueLimitBytes, type LineSink } from './line-sink.js'

const rotateAtBytes = 10 * 1024 * 1024
/** The current file and ten older ones. */
const maxFiles = 11

/**
 * @param onError takes each error of writing; the next lines try the file again
 * @throws SettingsError where the file is not a regular file; otherwise what opening the file throws
 */
export async function openLogFile(
  file: string,
  onError: (error: unknown) => void,
  limitBytes = rotateAtBytes,
): Promise<LineSink> {
  requireLogFile(file)
  makeFolder(dirname(file))
  const { numbers, nameOf } = numberedFiles(file)
  let number = numbers().at(-1) ?? 1
  let size = statOf(nameOf(number))?.size ?? 0
  const maxLength = queueLimitBytes
  const destination = new sonicBoom.SonicBoom({ dest: nameOf(number), sync: false, maxLength })
  await new Promise<void>((resolve, reject) => {
    destination.once('ready', resolve).once('error', reject)
  })
  destination.on('error', onError)
  const link = () => linkTo(file, nameOf(number), nameOf(0), onError)
  link()
  destination.on('ready', () => {
    link()
    try {
      for (const old of numbers().slice(0, -maxFiles)) rmSync(nameOf(old), { force: true })
    } catch (error) {
      onError(error)
    }
  })
  let isRotating = false
  let isClosed = false
  destination.on('write', (bytes: number) => {
    size += bytes
    if (size < limitBytes || isRotating) return
    isRotating = true
    // Once all lines are written.
    destination.once('drain', () => {
      isRotating = false
      if (isClosed) return
      number += 1
      size = 0
      destination.reopen(nameOf(number))
    })
  })

  return {
    write(lines) {
      destination.write(lines)
    },
    close() {
      isClosed = true
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
export function requireLogFile(file: string): void {
  const [character] = /[<>:"|?*]/.exec(file.replace(/^[A-Za-z]:/, '')) ?? []
  if (character !== undefined) {
    throw new SettingsError([`--log-file: expected a path without ${character}, got ${file}`])
  }
  const stats = statOf(file)
  if (stats === undefined || stats.isFile()) return
  throw new SettingsError([
    `--log-file: expected a regular file, or none to write no file; ${file} is ${kindOf(stats)}`,
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

/** `api.1.log`, `api.2.log` and so on, of `api.log`. */
function numberedFiles(file: string) {
  const { dir, name, ext } = parse(file)
  const ending = ext === '' ? '.log' : ext
  const isNumber = (text: string) => /^[1-9]\d*$/.test(text)
  return {
    nameOf: (number: number) => join(dir, `${name}.${number}${ending}`),
    /** Of those that are there, the oldest first. */
    numbers: () =>
      readdirSync(dir === '' ? '.' : dir)
        .filter((other) => other.startsWith(`${name}.`) && other.endsWith(ending))
        .map((other) => other.slice(name.length + 1, -ending.length))
        .filter(isNumber)
        .map(Number)
        .sort((a, b) => a - b),
  }
}

/** A regular file of this name, as earlier versions wrote it, becomes the oldest: `api.0.log`. */
function linkTo(
  file: string,
  current: string,
  oldest: string,
  onError: (error: unknown) => void,
): void {
  const temporary = `${file}.${process.pid}.link`
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) {
      renameSync(file, oldest)
    }
    rmSync(temporary, { force: true })
    symlinkSync(basename(current), temporary)
    renameSync(temporary, file)
  } catch (error) {
    onError(error)
  }
}
