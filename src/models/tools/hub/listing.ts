/** Which files a revision of a repository has, and what each has to be. */
import * as v from 'valibot'
import { UpstreamError } from '../../../base/errors/index.js'
import type { Hub } from './hub.js'

export interface RemoteRepository {
  /** `owner/name` */
  readonly repository: string
  /** The commit that the revision stood for: all files are of this one. */
  readonly commit: string
  /** By path. */
  readonly files: ReadonlyMap<string, RemoteFile>
}

export interface RemoteFile {
  readonly path: string
  /** Undefined where the hub does not say before the file is fetched. */
  readonly bytes: number | undefined
  readonly digest: Digest | undefined
}

export interface Digest {
  /** `git`: SHA-1 of git's header and the content, as small files have it. */
  readonly kind: 'sha256' | 'git'
  /** Hexadecimal. */
  readonly value: string
}

/** @param revision a branch, a tag or a commit */
export async function listRepository(
  hub: Hub,
  repository: string,
  revision: string,
  signal?: AbortSignal,
): Promise<RemoteRepository> {
  const what = `${repository} at ${revision}`
  const path = `${repository}/revision/${encodeURIComponent(revision)}`
  const reply = await hub.get(`/api/models/${path}?blobs=true`, { what, signal })
  const chunks: Uint8Array[] = []
  for await (const chunk of reply.body()) chunks.push(chunk)
  const result = v.safeParse(
    v.pipe(v.string(), v.parseJson(), listing),
    Buffer.concat(chunks).toString(),
  )
  if (!result.success) {
    const [issue] = result.issues
    const problem = `${v.getDotPath(issue) ?? 'top level'}: ${issue.message}`
    const from = new URL(hub.endpoint).host
    throw new UpstreamError('EBODY', `${from} answered no listing of ${what}: ${problem}`)
  }
  const { sha, siblings } = result.output
  const files = siblings.map(({ rfilename: path, size, blobId, lfs }): RemoteFile => {
    if (lfs) return { path, bytes: lfs.size, digest: { kind: 'sha256', value: lfs.sha256 } }
    const digest: Digest | undefined = blobId ? { kind: 'git', value: blobId } : undefined
    return { path, bytes: size ?? undefined, digest }
  })
  return { repository, commit: sha, files: new Map(files.map((file) => [file.path, file])) }
}

/** Path below the hub at which a file lies. */
export const filePath = ({ repository, commit }: RemoteRepository, path: string): string =>
  `/${repository}/resolve/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`

/** The digest that the headers of a file name, if any: a hash is what its ETag is on this hub. */
export function digestOf(headers: Headers): Digest | undefined {
  const tag = headers.get('x-linked-etag') ?? headers.get('etag') ?? ''
  const [, value = ''] = /^(?:W\/)?"?([0-9a-f]+)"?$/.exec(tag) ?? []
  if (value.length === 64) return { kind: 'sha256', value }
  return value.length === 40 ? { kind: 'git', value } : undefined
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const sha1 = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/, 'expected 40 hexadecimal digits'))
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits'))
const listing = v.object({
  sha: sha1,
  siblings: v.array(
    v.object({
      rfilename: v.string(),
      size: v.nullish(count),
      blobId: v.nullish(sha1),
      lfs: v.nullish(v.object({ sha256, size: count })),
    }),
  ),
})
