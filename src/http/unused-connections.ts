/** Connections that have sent nothing yet, as browsers open them ahead. Node counts them as busy, not as idle. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The first request of a connection that is younger may be on its way. */
const minAgeMs = 1000

/** @returns a function that closes those which are old enough */
export function watchUnusedConnections(server: Server): () => void {
  const openedMs = new Map<Socket, number>()
  server.on('connection', (socket) => {
    openedMs.set(socket, performance.now())
    socket.once('close', () => openedMs.delete(socket))
  })
  return () => {
    const latestMs = performance.now() - minAgeMs
    for (const [socket, ms] of openedMs)
      if (socket.bytesRead === 0 && ms < latestMs) socket.destroy()
  }
}
