/**
 * `Expect: 100-continue`: the invitation to send the body goes out when the body is about to be read, so a client
 * whose request is refused before that need not send it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2'

type Incoming = IncomingMessage | Http2ServerRequest
type Outgoing = ServerResponse | Http2ServerResponse

/** Makes ordinary requests of those that expect something. Expectations other than `100-continue` are not met here. */
export function passExpectations(server: Server | Http2Server): void {
  const emitter: NodeJS.EventEmitter = server
  emitter.on('checkContinue', (incoming: Incoming, outgoing: Outgoing) => {
    incoming.once('resume', () => {
      if (!outgoing.headersSent) outgoing.writeContinue()
    })
    emitter.emit('request', incoming, outgoing)
  })
  emitter.on('checkExpectation', (incoming: Incoming, outgoing: Outgoing) => {
    emitter.emit('request', incoming, outgoing)
  })
}
