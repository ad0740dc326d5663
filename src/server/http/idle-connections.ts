/**
 * Which connections a stop may close. Node's own list of idle ones lacks those that have sent nothing, as browsers
 * open them ahead; from Node 26 on it has them at once, although a first request may be on its way.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The first request of a connection that is younger may be on its way. */
const minAgeMs = 1000

/** Returns a function that closes idle connections. It closes none while the first request of a new one may be on its way. */
export function watchIdleConnections(server: Server): () => void {
  const openedMs = new Map<Socket, number>()
  server.on('connection', (socket) => {
    openedMs.set(socket, performance.now())
    socket.once('close', () => openedMs.delete(socket))
  })
  return () => {
    const latestMs = performance.now() - minAgeMs
    const unused = [...openedMs].filter(([socket]) => socket.bytesRead === 0)
    const old = unused.filter(([, ms]) => ms < latestMs)
    for (const [socket] of old) socket.destroy()
    if (old.length === unused.length) server.closeIdleConnections()
  }
}
