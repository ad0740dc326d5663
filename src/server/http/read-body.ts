/** Reads the body of a request as it arrives, within its own limit and the memory that all bodies share. */
import { Readable } from 'node:stream'
import { ClientGoneError, OverloadedError } from '../../base/errors/index.js'
import { bindingsOf, type AppContext } from './env.js'

/**
 * @param tooLarge makes the error of a body beyond the limit
 * @throws that error, ClientGoneError, OverloadedError
 */
export function readBody(
  c: AppContext,
  limitBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  const length = c.req.header('content-length')
  if (length !== undefined && Number(length) > limitBytes) return Promise.reject(tooLarge())
  const { incoming = ofApp(c), transfers } = bindingsOf(c)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (settled: () => void) => {
      transfer?.end()
      incoming.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone)
      // What still arrives is dropped, and so is what its breaking off has to say.
      incoming.on('error', () => undefined)
      settled()
    }
    const fail = (error: Error) => settle(() => reject(error))
    const transfer = transfers?.begin(() => fail(new OverloadedError()))
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > limitBytes) {
        fail(tooLarge())
        return
      }
      chunks.push(chunk)
      transfer?.grow(chunk.byteLength)
    }
    const onGone = (cause?: Error) => fail(new ClientGoneError(cause && { cause }))
    const onEnd = () => {
      // A stream of HTTP/2 that is reset ends, too.
      if ('aborted' in incoming && incoming.aborted) fail(new ClientGoneError())
      else settle(() => resolve(Buffer.concat(chunks)))
    }
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
    if (incoming.destroyed) onGone(incoming.errored ?? undefined)
  })
}

/** Where a test calls the app without a socket. */
const ofApp = (c: AppContext): Readable => Readable.fromWeb(c.req.raw.body ?? new Blob([]).stream())
