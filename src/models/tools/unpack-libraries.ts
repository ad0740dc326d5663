/** Takes some files out of an archive: all of them, or none where anything is wrong. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { openPromise } from 'yauzl'
import { UpstreamError } from '../../base/errors/index.js'
import { nameFile } from '../../base/util/system-reason.js'
import { unexpected } from './read-description.js'

export interface UnpackOptions {
  readonly archive: string
  /** Of the package, for messages. */
  readonly name: string
  /** Where an entry of the archive goes; undefined for those that stay inside. */
  readonly fileOf: (entry: string) => string | undefined
  /** Files that have to come out of it. */
  readonly expected: readonly string[]
}

/** All are written aside before the first one takes its name. Returns the files. */
export async function unpackLibraries(options: UnpackOptions): Promise<string[]> {
  const { archive, name, fileOf, expected } = options
  const written = new Set<string>()
  const zip = await openPromise(archive).catch((cause: unknown) => {
    throw new UpstreamError('EBODY', `${name}: the package is not an archive`, { cause })
  })
  try {
    for await (const entry of zip.eachEntry()) {
      const file = fileOf(entry.fileName)
      if (file === undefined) continue
      written.add(file)
      const content = await zip.openReadStreamPromise(entry)
      await pipeline(content, createWriteStream(aside(file))).catch((error: unknown) => {
        throw nameFile(error, file)
      })
    }
    const lacking = expected.find((file) => !written.has(file))
    if (lacking !== undefined) throw unexpected(name, `${lacking} in the package`)
    for (const file of written) await rename(aside(file), file)
    return [...written]
  } finally {
    zip.close()
    for (const file of written) await rm(aside(file), { force: true })
  }
}

const aside = (file: string) => `${file}.new`
