/**
 * The port that all workers listen on. Where Node can (`reusePort`, since 22.12 and 23.1, on Linux), each worker
 * has a socket of its own on the port, and the kernel spreads the connections. Elsewhere node:cluster gives all
 * workers the same socket, and each accepts from it. No connection passes through the primary in either
 * case: node:cluster's other way (SCHED_RR) leaves a client without a response for ever where the worker
 * dies that the primary has just handed its connection to.
 */
import cluster from 'node:cluster'
import { createServer } from 'node:net'
import { ListenError } from '../../base/errors/index.js'

/** Gives a worker the port that it shares with `reusePort`; empty where node:cluster shares it. */
export const sharedPortVariable = 'SYNOPTIC_SHARED_PORT'

export interface SharedPort {
  /** Of a worker's environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Frees the reserved port, once the workers listen on it. */
  readonly release: () => void
}

/** Comes before `cluster.setupPrimary`, which fixes how node:cluster shares. @throws ListenError */
export async function sharePort(host: string, port: number): Promise<SharedPort> {
  const noReservation = () => undefined
  if (!canReusePort()) {
    cluster.schedulingPolicy = cluster.SCHED_NONE
    return { environment: { [sharedPortVariable]: '' }, release: noReservation }
  }
  const reserved = port === 0 ? await reservePort(host) : { port, release: noReservation }
  return {
    environment: { [sharedPortVariable]: String(reserved.port) },
    release: reserved.release,
  }
}

/** In a worker: the port to share with `reusePort`; undefined where node:cluster shares it. */
export function readSharedPort(
  environment: Readonly<Record<string, string | undefined>>,
): number | undefined {
  const word = environment[sharedPortVariable] ?? ''
  return word === '' ? undefined : Number(word)
}

export function canReusePort(
  version = process.versions.node,
  platform = process.platform,
): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const hasOption = major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12)
  return hasOption && platform === 'linux'
}

/**
 * A free port, which stays bound until it is released, so that no other program takes it before the workers
 * do. Nobody knows its number by then, so no connection comes here.
 */
function reservePort(
  host: string,
): Promise<{ readonly port: number; readonly release: () => void }> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    // Node's types know this option from version 22 on.
    const options = { host, port: 0, reusePort: true }
    server.once('error', (error) => reject(new ListenError(host, 0, error)))
    server.listen(options, () => {
      const address = server.address()
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0
      resolve({ port, release: () => void server.close() })
    })
  })
}
