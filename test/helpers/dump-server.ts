/** A server of files on loopback, with tags, ranges and conditions as real ones have them, and faults on demand. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface DumpServer {
  readonly url: string
  /** Every request, as `path status`, in order. */
  readonly log: readonly string[]
  publish(name: string, content: Buffer | string): void
  /** The connection of the next transfer of the file ends after so many bytes. */
  cut(name: string, ...afterBytes: readonly number[]): void
  /** The same once, when the client has read them, however busy the machine is. */
  cutOnceRead(name: string, afterBytes: number, read: Promise<unknown>): void
  /** Transfers of the file stop after so many bytes and stay open; resolves when one has got there. */
  hang(name: string, afterBytes: number): Promise<void>
  /** Ends what `hang` began. */
  release(): void
  close(): Promise<void>
}

/**
 * @param partialOf where a client writes what it gets of a file: an end of the connection takes from it what it has not
 * read yet, so `cut` waits for it. Without that, `cut` waits for a moment.
 */
export async function startDumpServer(partialOf?: (name: string) => string): Promise<DumpServer> {
  const files = new Map<string, Buffer>()
  const cuts = new Map<string, number[]>()
  const readBefore = new Map<string, Promise<unknown>>()
  const log: string[] = []
  let hanging: { name: string; after: number; reached: () => void } | undefined

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const name = (request.url ?? '').slice(1)
    const content = files.get(name)
    const reply = (status: number, headers = {}, body: Buffer = Buffer.alloc(0)): void => {
      const range = request.headers.range ?? ''
      log.push(`${name} ${status}${range === '' ? '' : ` ${range}`}`)
      response.writeHead(status, { ...headers, 'content-length': body.length })
      send(name, response, body, status === 206 ? Number(first) : 0)
    }
    const etag = `"${createHash('md5')
      .update(content ?? '')
      .digest('hex')}"`
    const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    if (content === undefined) {
      reply(404)
    } else if (request.headers['if-none-match'] === etag) {
      reply(304, { etag })
    } else if (first === undefined || request.headers['if-range'] !== etag) {
      reply(200, { etag }, content)
    } else if (Number(first) >= content.length) {
      reply(416)
    } else {
      const range = `bytes ${first}-${content.length - 1}/${content.length}`
      reply(206, { etag, 'content-range': range }, content.subarray(Number(first)))
    }
  }

  function send(name: string, response: ServerResponse, body: Buffer, from: number): void {
    const cutAfter = cuts.get(name)?.shift()
    if (hanging?.name === name) {
      response.write(body.subarray(0, hanging.after), hanging.reached)
    } else if (cutAfter === undefined) {
      response.end(body)
    } else {
      const read = readBefore.get(name)
      response.write(body.subarray(0, cutAfter))
      if (read !== undefined) {
        void read.then(() => response.destroy())
        return
      }
      const partial = partialOf?.(name)
      const isWritten = () =>
        partial === undefined || (existsSync(partial) && statSync(partial).size >= from + cutAfter)
      const timer = setInterval(() => {
        if (isWritten()) response.destroy()
      }, 50)
      response.on('close', () => {
        clearInterval(timer)
      })
    }
  }

  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    log,
    publish: (name, content) => void files.set(name, Buffer.from(content)),
    cut: (name, ...afterBytes) => void cuts.set(name, [...afterBytes]),
    cutOnceRead(name, afterBytes, read) {
      cuts.set(name, [afterBytes])
      readBefore.set(name, read)
    },
    hang: (name, after) => new Promise((reached) => (hanging = { name, after, reached })),
    release: () => (hanging = undefined),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
