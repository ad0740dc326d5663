/**
 * A hub of models on loopback, as huggingface.co answers: a listing with hashes, small files by itself,
 * large ones by a redirect to another host (here another port), ranges, and faults on demand.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface TestHub {
  readonly endpoint: string
  /** Every request to hub and storage, in order. */
  readonly requests: readonly HubRequest[]
  /** Publishes a folder; answers the commit, which `tag` names from then on, in place of an earlier one. */
  publish(repository: string, folder: string, tag?: string): string
  /** Publishes files by their contents. */
  publishFiles(repository: string, files: ReadonlyMap<string, Buffer>, tag?: string): string
  /** Happens to the next transfers of the path, one a transfer. */
  fail(path: string, ...faults: readonly Fault[]): void
  /** Changes what listings say. */
  tamper(change: (listing: Listing) => unknown): void
  /** Only this token may read. */
  protect(repository: string, token: string, status?: 401 | 403): void
  close(): Promise<void>
}

interface HubRequest {
  readonly at: 'hub' | 'storage'
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly range: string | undefined
}

export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  /** The connection ends after so many bytes. */
  | { readonly kind: 'break'; readonly after: number }
  /** The connection falls silent after so many bytes. */
  | { readonly kind: 'stall'; readonly after: number }
  | { readonly kind: 'corrupt' }
  /** All of the file is sent, whatever range was requested. */
  | { readonly kind: 'no range' }

interface Listing {
  sha: string
  siblings: {
    rfilename: string
    size: number
    blobId: string
    lfs?: { sha256: string; size: number; pointerSize: number }
  }[]
}

interface Repository {
  readonly commit: string
  readonly tag: string
  readonly files: ReadonlyMap<string, Buffer>
}

const isLarge = (path: string) => /\.(onnx|onnx_data|safetensors|bin)$/.test(path)
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const blobId = (content: Buffer) =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')

export async function startHub(): Promise<TestHub> {
  const repositories = new Map<string, readonly Repository[]>()
  const guards = new Map<string, { token: string; status: number }>()
  const faults = new Map<string, Fault[]>()
  const requests: HubRequest[] = []
  let change: (listing: Listing) => unknown = (listing) => listing

  const storage = createServer((request, response) => {
    record('storage', request)
    const [, repository = '', commit = '', path = ''] =
      /^\/([^/]+\/[^/]+)\/([0-9a-f]{40})\/([^?]+)/.exec(pathOf(request)) ?? []
    const content = find(repository, commit)?.files.get(path)
    // As the storage of the hub, it refuses who shows a token of the hub besides the signature.
    if (request.headers.authorization !== undefined) {
      end(response, 400)
      return
    }
    if (content === undefined) {
      end(response, 404)
      return
    }
    send(request, response, path, content, { etag: '"of-the-storage"' })
  })
  const hub = createServer((request, response) => {
    record('hub', request)
    const path = pathOf(request)
    const [, name = '', , revision = '', file] =
      /^\/(?:api\/models\/)?([^/]+\/[^/]+)\/(revision|resolve)\/([^/?]+)(?:\/([^?]+))?/.exec(
        path,
      ) ?? []
    const found = find(name, decodeURIComponent(revision))
    const guard = guards.get(name)
    const { authorization } = request.headers
    if (!repositories.has(name)) {
      end(response, authorization === undefined ? 401 : 404)
      return
    }
    if (guard && authorization !== `Bearer ${guard.token}`) {
      end(response, guard.status)
      return
    }
    if (found === undefined) {
      end(response, 404, { 'x-error-code': 'RevisionNotFound' })
      return
    }
    if (file === undefined) {
      const fault = faults.get('listing')?.shift()
      if (fault?.kind === 'status') {
        end(response, fault.status, fault.headers)
        return
      }
      const body = JSON.stringify(change(listingOf(found)))
      return void response.setHeader('content-type', 'application/json').end(body)
    }
    const content = found.files.get(decodeURIComponent(file))
    if (content === undefined) {
      end(response, 404, { 'x-error-code': 'EntryNotFound' })
      return
    }
    const own = { 'x-repo-commit': found.commit, etag: `"${blobId(content)}"` }
    if (!isLarge(file)) {
      send(request, response, file, content, own)
      return
    }
    end(response, 302, {
      ...own,
      'x-linked-size': String(content.length),
      'x-linked-etag': `"${sha256(content)}"`,
      location: `${addressOf(storage)}/${name}/${found.commit}/${file}?signature=s3cret`,
    })
  })

  /** The last that was published under that name. */
  function find(repository: string, revision: string): Repository | undefined {
    return repositories
      .get(repository)
      ?.findLast(({ commit, tag }) => commit === revision || tag === revision)
  }

  function record(at: HubRequest['at'], request: IncomingMessage): void {
    const { authorization, range } = request.headers
    requests.push({ at, method: request.method ?? '', path: pathOf(request), authorization, range })
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    content: Buffer,
    headers: Record<string, string>,
  ): void {
    const fault = faults.get(decodeURIComponent(path))?.shift()
    if (fault?.kind === 'status') {
      end(response, fault.status, fault.headers)
      return
    }
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    const start = fault?.kind === 'no range' || from === undefined ? 0 : Number(from)
    if (start >= content.length && start > 0) {
      end(response, 416)
      return
    }
    const range = { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }
    const part = Buffer.from(content.subarray(start))
    if (fault?.kind === 'corrupt') part[0] = (part[0] ?? 0) ^ 1
    const length = { 'content-length': String(part.length) }
    const status = from === undefined || fault?.kind === 'no range' ? 200 : 206
    response.writeHead(status, { ...headers, ...length, ...(status === 206 ? range : {}) })
    if (request.method === 'HEAD') return void response.end()
    if (fault?.kind !== 'break' && fault?.kind !== 'stall') return void response.end(part)
    response.write(part.subarray(0, fault.after), () => {
      if (fault.kind === 'break') void breakSoon(response)
    })
  }

  function publishFiles(
    repository: string,
    files: ReadonlyMap<string, Buffer>,
    tag = 'main',
  ): string {
    const contents = [...files].map(([path, content]) => `${path} ${blobId(content)}`)
    const commit = createHash('sha1').update(contents.join('\n')).digest('hex')
    repositories.set(repository, [...(repositories.get(repository) ?? []), { commit, tag, files }])
    return commit
  }

  for (const server of [hub, storage]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  return {
    endpoint: addressOf(hub),
    requests,
    publish: (repository, folder, tag) => publishFiles(repository, readFolder(folder), tag),
    publishFiles,
    fail: (path, ...next) => void faults.set(path, [...next]),
    tamper: (next) => void (change = next),
    protect: (repository, token, status = 401) => void guards.set(repository, { token, status }),
    async close() {
      for (const server of [hub, storage]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

/**
 * What is not read yet when a connection breaks is lost to fetch. In steps, since where the process
 * stops for a while nobody reads either.
 */
async function breakSoon(response: ServerResponse): Promise<void> {
  for (let step = 0; step < 10; step++) await sleep(3)
  response.destroy()
}

function listingOf({ commit, files }: Repository): Listing {
  const siblings = [...files].map(([rfilename, content]) => {
    const size = content.length
    const sibling = { rfilename, size, blobId: blobId(content) }
    const lfs = { sha256: sha256(content), size, pointerSize: 134 }
    return isLarge(rfilename) ? { ...sibling, lfs } : sibling
  })
  return { sha: commit, siblings }
}

export function readFolder(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(folder, path).split(sep).join('/'), readFileSync(path)]
    }),
  )
}

const pathOf = (request: IncomingMessage) => request.url ?? ''

const addressOf = (server: ReturnType<typeof createServer>) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end()
}
