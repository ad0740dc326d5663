/**
 * A file that its makers replace now and then: fetched whole if it has changed, and not at all if it has not.
 * A transfer that broke goes on where it was, now and after a kill, as long as it is of the same version. The
 * file takes its name once its size and checksum are right; until then the earlier one stays.
 */
import { createHash } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { UpstreamError } from '../errors/index.js'
import { makeFolder } from '../util/make-folder.js'
import { writeSynced } from '../util/write-synced.js'
import { connect, type Reply } from './connect.js'
import { hashPart, sizeOf } from './partial.js'
import { type RetryOptions, withRetries } from './retry.js'
import { writeAll } from '../util/write-all.js'

export interface RefreshOptions extends RetryOptions {
  readonly url: string
  /** Of a text that begins with the file's SHA-1, where its makers offer one. */
  readonly checksumUrl?: string | undefined
  readonly file: string
  /** A file that is larger is refused, and what was fetched of it is removed. */
  readonly maxBytes?: number
  /** @param total undefined where the server does not say */
  readonly onProgress?: (done: number, total: number | undefined) => void
  /** Longest silence before a connection counts as broken. */
  readonly stallMs?: number
}

export interface RefreshedFile {
  /** Whether it was fetched now. */
  readonly isNew: boolean
  readonly bytes: number
  readonly sha256: string
}

/** The state file next to a downloaded file: its version. */
const stateSchema = v.object({
  url: v.string(),
  etag: v.nullable(v.string()),
  lastModified: v.nullable(v.string()),
  /** Only of a whole file. */
  whole: v.optional(v.object({ bytes: v.number(), sha256: v.string(), sha1: v.string() })),
})
type State = v.InferOutput<typeof stateSchema>
type WholeState = Omit<State, 'whole'> & { readonly whole: NonNullable<State['whole']> }

/** Rejects with an UpstreamError, what writing rejects with, or the signal's reason. */
export async function refreshFile(options: RefreshOptions): Promise<RefreshedFile> {
  makeFolder(dirname(options.file))
  const sha1 = await fetchChecksum(options)
  const before = await wholeState(options)
  if (before !== undefined && sha1 !== undefined && before.whole.sha1 === sha1) {
    return unchanged(before)
  }
  return withRetries((progress) => attempt(options, sha1, before, progress), options)
}

const unchanged = ({ whole: { bytes, sha256 } }: WholeState): RefreshedFile => ({
  bytes,
  sha256,
  isNew: false,
})

const partialOf = (file: string) => `${file}.partial`
const stateOf = (file: string) => `${file}.json`

async function fetchChecksum(options: RefreshOptions): Promise<string | undefined> {
  const { checksumUrl } = options
  if (checksumUrl === undefined) return undefined
  return withRetries(async () => {
    const what = `the checksum of ${nameOf(options.url)}`
    const reply = await connect(new URL(checksumUrl), { ...options, what })
    let text = ''
    for await (const chunk of reply.body()) {
      text += Buffer.from(chunk).toString('latin1')
      if (text.length > 4096) break
    }
    const [sha1] = /^[0-9a-f]{40}(?![0-9a-f])/i.exec(text.trim()) ?? []
    if (sha1 !== undefined) return sha1.toLowerCase()
    const problem = `${what}: expected 40 hexadecimal digits, received another text`
    throw new UpstreamError('EBODY', problem)
  }, options)
}

async function attempt(
  options: RefreshOptions,
  sha1: string | undefined,
  before: WholeState | undefined,
  progress: () => void,
): Promise<RefreshedFile> {
  const { url, file } = options
  const partial = partialOf(file)
  const begun = await readState(stateOf(partial), url)
  const validator = begun === undefined ? null : (strong(begun.etag) ?? begun.lastModified)
  const from = validator === null ? 0 : ((await sizeOf(partial)) ?? 0)
  const reply = await connect(new URL(url), {
    ...options,
    what: nameOf(url),
    headers: {
      // A server that has another version by now sends all of it.
      ...(from > 0 && validator !== null && { range: `bytes=${from}-`, 'if-range': validator }),
      // A checksum that differs says that the file has changed.
      ...(sha1 === undefined && conditionsOf(before)),
    },
    accepted: [304, 416],
  })
  if (reply.status === 304 && before !== undefined) {
    await removePartial(file)
    return unchanged(before)
  }
  if (reply.status === 416 || reply.status === 304) {
    await removePartial(file)
    throw new UpstreamError('ENETWORK', `${nameOf(url)}: what was fetched before fits no longer`)
  }
  return receive(options, reply, { from, sha1, progress })
}

/** Far above every file that is fetched, and far below a disk. */
const usualMaxBytes = 8 * 2 ** 30

interface Receiving {
  readonly from: number
  readonly sha1: string | undefined
  readonly progress: () => void
}

async function receive(
  { url, file, maxBytes = usualMaxBytes, onProgress }: RefreshOptions,
  reply: Reply,
  { from, sha1, progress }: Receiving,
): Promise<RefreshedFile> {
  const partial = partialOf(file)
  const range = reply.headers.get('content-range') ?? ''
  const start = reply.status === 206 && range.startsWith(`bytes ${from}-`) ? from : 0
  const length = Number(reply.headers.get('content-length') ?? NaN)
  const total = Number.isSafeInteger(length) ? length + start : undefined
  const state: State = {
    url,
    etag: reply.headers.get('etag'),
    lastModified: reply.headers.get('last-modified'),
  }
  const hashes = { sha1: createHash('sha1'), sha256: createHash('sha256') }
  // Before the first byte, so that no byte is taken for one of another version.
  if (start === 0) {
    await rm(partial, { force: true })
    await writeSynced(stateOf(partial), JSON.stringify(state))
  }
  const requireRoom = async (bytes: number) => {
    if (bytes <= maxBytes) return
    await removePartial(file)
    const problem = `expected at most ${maxBytes} bytes, received more`
    throw new UpstreamError('EBODY', `${nameOf(url)}: ${problem}; nothing was changed`)
  }
  const handle = await open(partial, start > 0 ? 'r+' : 'w')
  let size = start
  try {
    await requireRoom(total ?? 0)
    if (start > 0) for (const hash of Object.values(hashes)) await hashPart(hash, partial)
    onProgress?.(size, total)
    for await (const chunk of reply.body()) {
      await requireRoom(size + chunk.length)
      await writeAll(handle, partial, chunk, size)
      for (const hash of Object.values(hashes)) hash.update(chunk)
      size += chunk.length
      onProgress?.(size, total)
      progress()
    }
    if (total !== undefined && size !== total) {
      throw new UpstreamError(
        'ENETWORK',
        `${nameOf(url)} broke off after ${size} of ${total} bytes`,
      )
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  const found = { sha1: hashes.sha1.digest('hex'), sha256: hashes.sha256.digest('hex') }
  if (sha1 !== undefined && found.sha1 !== sha1) {
    await removePartial(file)
    const problem = `expected the SHA-1 ${sha1}, received ${found.sha1}`
    const remedy = 'nothing was changed; try again later'
    throw new UpstreamError('EBODY', `${nameOf(url)}: ${problem}; ${remedy}`)
  }
  await writeSynced(
    stateOf(partial),
    JSON.stringify({ ...state, whole: { bytes: size, ...found } }),
  )
  await rename(partial, file)
  await rename(stateOf(partial), stateOf(file))
  return { isNew: true, bytes: size, sha256: found.sha256 }
}

async function removePartial(file: string): Promise<void> {
  for (const path of [partialOf(file), stateOf(partialOf(file))]) await rm(path, { force: true })
}

/** Undefined unless the file is there as the state describes it. */
async function wholeState({ file, url }: RefreshOptions): Promise<WholeState | undefined> {
  const state = await readState(stateOf(file), url)
  const whole = state?.whole
  if (state === undefined || whole === undefined) return undefined
  return (await sizeOf(file)) === whole.bytes ? { ...state, whole } : undefined
}

async function readState(path: string, url: string): Promise<State | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const state = v.safeParse(v.pipe(v.string(), v.parseJson(), stateSchema), text)
  return state.success && state.output.url === url ? state.output : undefined
}

function conditionsOf(before: WholeState | undefined): Record<string, string> {
  if (before?.etag != null) return { 'if-none-match': before.etag }
  return before?.lastModified == null ? {} : { 'if-modified-since': before.lastModified }
}

/** Only a strong tag says that the bytes are the same. */
const strong = (etag: string | null) => (etag?.startsWith('W/') === true ? null : etag)

const nameOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? url
