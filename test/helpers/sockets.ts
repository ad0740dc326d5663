/** Connections and ports of tests that mind neither order nor chance. */
import { createServer, type Socket } from 'node:net'

/** Resolves when it is closed, also by a reset. */
export const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.on('error', () => undefined).once('close', () => resolve())
  })

/** Nobody listens there: too low a port to be given to a process that requests any, and no service's. */
export const closedPort = 2

/**
 * A port to listen on. Those that the system gives to a process that requests any, also for the near end of a
 * connection, begin at 32,768; below, nobody takes it in the moment before it is used: test files that
 * run side by side have a thousand each.
 */
export async function freePort(): Promise<number> {
  const firstPort = 10_000 + 1000 * (Number(process.env.VITEST_POOL_ID) % 20)
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * 1000)
    const server = createServer()
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((resolve) => server.close(resolve))
    if (isFree) return port
  }
}
