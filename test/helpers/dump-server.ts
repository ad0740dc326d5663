/** A server of files on loopback, with tags, ranges and conditions as real ones have them, and faults on demand. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises'

export interface DumpServer {
  readonly url: string
  /** Every request, as `path status`, in order. */
  readonly log: readonly string[]
  publish(name: string, content: Buffer | string): void
  /** The connection of the next transfer of the file ends after so many bytes. */
  cut(name: string, ...afterBytes: readonly number[]): void
  /** Transfers of the file stop after so many bytes and stay open; resolves when one has got there. */
  hang(name: string, afterBytes: number): Promise<void>
  /** Ends what `hang` began. */
  release(): void
  close(): Promise<void>
}

export async function startDumpServer(): Promise<DumpServer> {
  const files = new Map<string, Buffer>()
  const cuts = new Map<string, number[]>()
  const log: string[] = []
  let hanging: { name: string; after: number; reached: () => void } | undefined

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const name = (request.url ?? '').slice(1)
    const content = files.get(name)
    const reply = (status: number, headers = {}, body: Buffer = Buffer.alloc(0)): void => {
      const range = request.headers.range ?? ''
      log.push(`${name} ${status}${range === '' ? '' : ` ${range}`}`)
      response.writeHead(status, { ...headers, 'content-length': body.length })
      send(name, response, body)
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

  function send(name: string, response: ServerResponse, body: Buffer): void {
    const cutAfter = cuts.get(name)?.shift()
    if (hanging?.name === name) {
      response.write(body.subarray(0, hanging.after), hanging.reached)
    } else if (cutAfter === undefined) {
      response.end(body)
    } else {
      response.write(body.subarray(0, cutAfter), () => void endAfterReading(response))
    }
  }

  /** A client in this process has read by then what was sent, however late the event loop is. */
  async function endAfterReading(response: ServerResponse): Promise<void> {
    await delay(50)
    for (let turn = 0; turn < 5; turn += 1) await immediate()
    response.destroy()
  }

  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    log,
    publish: (name, content) => void files.set(name, Buffer.from(content)),
    cut: (name, ...afterBytes) => void cuts.set(name, [...afterBytes]),
    hang: (name, after) => new Promise((reached) => (hanging = { name, after, reached })),
    release: () => (hanging = undefined),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
