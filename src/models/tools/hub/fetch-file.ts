/**
 * One file of a hub into a folder: a transfer that broke goes on where it was, now and after a kill, and
 * the file takes its name when its size and its hash are those that the hub names.
 */
import { createHash, type Hash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hashPart, sizeOf } from '../../../base/download/partial.js'
import { type RetryOptions, withRetries } from '../../../base/download/retry.js'
import { UpstreamError } from '../../../base/errors/index.js'
import { makeFolder } from '../../../base/util/make-folder.js'
import type { Hub, HubReply } from './hub.js'
import {
  type Digest,
  type RemoteFile,
  type RemoteRepository,
  digestOf,
  filePath,
} from './listing.js'
import { writeAll } from '../../../base/util/write-all.js'

export interface FetchFileOptions extends RetryOptions {
  readonly hub: Hub
  readonly source: RemoteRepository
  /** Where the file goes, under the same path. */
  readonly folder: string
  /** Called with the number of bytes that are on disk; negative where they have to be fetched again. */
  readonly onBytes?: (bytes: number) => void
}

export interface FetchedFile {
  readonly path: string
  readonly bytes: number
  readonly digest: Digest
}

/** Rejects with an UpstreamError, what writing rejects with, or the signal's reason. */
export async function fetchFile(file: RemoteFile, options: FetchFileOptions): Promise<FetchedFile> {
  const target = join(options.folder, ...file.path.split('/'))
  makeFolder(dirname(target))
  const there = await fetchedBefore(file, target)
  if (there !== undefined) {
    options.onBytes?.(there.bytes)
    return there
  }
  return withRetries((progress) => attempt(file, target, options, progress), options)
}

/** A file that has its name was whole; whether it still is costs less than another transfer. */
export async function fetchedBefore(
  file: RemoteFile,
  target: string,
): Promise<FetchedFile | undefined> {
  const { path, bytes, digest } = file
  const size = await sizeOf(target)
  if (digest === undefined || size === undefined || (bytes ?? size) !== size) return undefined
  const hash = startHash(digest, size)
  await hashPart(hash, target)
  return hash.digest('hex') === digest.value ? { path, bytes: size, digest } : undefined
}

async function attempt(
  file: RemoteFile,
  target: string,
  options: FetchFileOptions,
  progress: () => void,
): Promise<FetchedFile> {
  const { hub, source, signal, onBytes } = options
  const partial = `${target}.partial`
  const before = (await sizeOf(partial)) ?? 0
  // What is all there, or too much, need not or cannot be gone on with.
  const from = before < (file.bytes ?? Infinity) ? before : 0
  const what = `${file.path} of ${source.repository}`
  const reply = await hub.get(filePath(source, file.path), { what, from, signal })
  const start = isContinuation(reply, from) ? from : 0
  const { bytes, digest } = expectationOf(file, reply, start, what)
  const hash = startHash(digest, bytes)
  if (start > 0) await hashPart(hash, partial)
  onBytes?.(start)
  let size = start
  const handle = await open(partial, start > 0 ? 'r+' : 'w')
  try {
    for await (const chunk of reply.body()) {
      if (size + chunk.length > bytes) throw wrong(what, `${bytes} bytes`, 'more')
      await writeAll(handle, partial, chunk, size)
      hash.update(chunk)
      size += chunk.length
      onBytes?.(chunk.length)
      progress()
    }
    if (size < bytes) {
      throw new UpstreamError('ENETWORK', `${what} broke off after ${size} of ${bytes} bytes`)
    }
    const found = hash.digest('hex')
    if (found !== digest.value) throw wrong(what, `${digest.kind} ${digest.value}`, found)
    await handle.sync()
  } catch (error) {
    onBytes?.(-size)
    if (!isWrong(error)) throw error
    await rm(partial, { force: true })
    // What an earlier run left may be to blame, and is gone now.
    if (start === 0) throw error
    return await attempt(file, target, options, progress)
  } finally {
    await handle.close()
  }
  await rename(partial, target)
  return { path: file.path, bytes, digest }
}

/** A server that cannot go on in the middle sends all of it. */
function isContinuation({ status, headers }: HubReply, from: number): boolean {
  const range = headers.get('content-range') ?? ''
  return from > 0 && status === 206 && range.startsWith(`bytes ${from}-`)
}

function expectationOf(file: RemoteFile, reply: HubReply, start: number, what: string) {
  const length = Number(reply.headers.get('content-length') ?? NaN) + start
  const linked = Number(reply.hubHeaders.get('x-linked-size') ?? NaN)
  const bytes = file.bytes ?? (Number.isNaN(linked) ? length : linked)
  const digest = file.digest ?? digestOf(reply.hubHeaders)
  if (!Number.isSafeInteger(bytes)) throw wrong(what, 'its size', 'none')
  if (digest === undefined) throw wrong(what, 'a hash to verify it by', 'none')
  return { bytes, digest }
}

const wrong = (what: string, expected: string, received: string) =>
  new UpstreamError('EBODY', `${what}: expected ${expected}, received ${received}`)
const isWrong = (error: unknown) => error instanceof UpstreamError && error.code === 'EBODY'

function startHash({ kind }: Digest, bytes: number): Hash {
  return kind === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${bytes}\0`)
}
