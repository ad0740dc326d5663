/** A server process: starts, listens, reloads and stops. */
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerSettings } from '../../base/config/settings.js'
import { useGpu } from './choose-gpu.js'
import { listen, type HttpServer, type SocketOptions } from '../http/server.js'
import type { LastReload } from '../schemas/server-health.js'
import { requireSearchable, type Inventory } from '../../search/composition/inventory.js'
import { watchIdle } from '../../models/residency/idle-watch.js'
import { openServing, type Serving, type ServingOptions } from './serving.js'
import { setScanThreads, spareProcessor } from '../../native/scheduling/threads.js'
import { openTracing } from '../../base/observability/tracing.js'

export interface Server {
  readonly address: AddressInfo
  /** The datasets and models at the start. */
  readonly inventory: Inventory
  /**
   * Opens the catalogue, embeddings and models that are on disk now, and serves them from then on. Requests in
   * flight finish with the old ones. Rejects without a change if the catalogue is not valid, or if a dataset
   * could not be searched any more.
   */
  reload(): Promise<Inventory>
  /** Searches find what writes have left that are not merged yet. */
  showPending(): Promise<void>
  /**
   * Serves on for `drainMs` while /readyz says that the server stops, so that a balancer sends no more; then waits
   * for running requests for at most `graceMs`, and closes everything.
   */
  stop(times: StopTimes): Promise<void>
}

interface StopTimes {
  readonly drainMs: number
  readonly graceMs: number
  /** Ends the draining early. */
  readonly hurry?: AbortSignal
}

/** @throws CatalogueError, ListenError */
export async function start(
  settings: ServerSettings,
  services: Omit<ServingOptions, 'tracing'>,
  socket: SocketOptions = {},
): Promise<Server> {
  setScanThreads(settings)
  const tracing = await openTracing(process.env)
  let lastReload: LastReload | null = null
  const options = { ...services, tracing, lastReload: () => lastReload }
  const { logger } = options
  const gpu = useGpu(settings, logger)
  const release = async (error: unknown): Promise<never> => {
    gpu.stop()
    await tracing?.close()
    throw error
  }
  let serving = await openServing(settings, options, true).catch(release)
  let reloading = Promise.resolve(serving.inventory)
  let isStopping = false

  const fetch: Serving['fetch'] = (request, bindings) => serving.fetch(request, bindings)
  await serving.warmUp(serving.searched)
  // A large catalogue's first search takes seconds: nobody knows of the server until it was made.
  await serving.rehearse()
  const fetchStatus: Serving['fetch'] = (request, bindings) =>
    serving.fetchStatus(request, bindings)
  const http = await listenOnAll({ fetch, fetchStatus }, settings, socket).catch(
    async (error: unknown) => {
      await serving.close()
      return release(error)
    },
  )
  options.metrics.watch(() => serving.state())
  const stopIdleWatch = watchIdle({
    idleTimeout: settings.idleTimeout,
    closeIdle: (idleMs) => [...serving.closeIdle(idleMs), ...gpu.closeIdle(idleMs)],
    logger,
  })

  const stopSparing = spareProcessor(settings)

  async function swap(): Promise<Inventory> {
    requireNoStop()
    const old = serving
    const next = await openServing(settings, options)
    try {
      requireSearchable(old.inventory, next.inventory)
      const added = next.encoder === old.encoder ? [] : next.searched
      await next.warmUp([...old.opened(), ...added])
      await next.rehearse()
      await next.showPending()
      requireNoStop()
    } catch (error) {
      await next.close()
      throw error
    }
    serving = next
    // What came meanwhile was shown by the old one.
    await next.showPending()
    void old.drained().then(() => old.close())
    return next.inventory
  }

  function requireNoStop(): void {
    if (isStopping) throw new Error('the server is stopping')
  }

  return {
    address: http.address,
    inventory: serving.inventory,
    showPending: () => serving.showPending(),
    reload() {
      // One after the other: a second reload may be for files that the first one did not see.
      reloading = reloading.then(swap, swap)
      const note = (result: LastReload['result']) => {
        lastReload = { at: new Date().toISOString(), result }
      }
      reloading.then(
        () => note('done'),
        () => note('failed'),
      )
      return reloading
    },
    async stop({ drainMs, graceMs, hurry }) {
      isStopping = true
      serving.stopping()
      http.drain()
      if (drainMs > 0)
        await delay(drainMs, undefined, hurry && { signal: hurry }).catch(() => undefined)
      stopIdleWatch()
      stopSparing()
      gpu.stop()
      await http.stop(graceMs)
      await serving.close()
      await tracing?.close()
    },
  }
}

/** On `--port`, and on `--status-port` where there is one. @throws ListenError */
async function listenOnAll(
  { fetch, fetchStatus }: Pick<Serving, 'fetch' | 'fetchStatus'>,
  settings: ServerSettings,
  socket: SocketOptions,
): Promise<HttpServer> {
  const main = await listen({ fetch }, { ...settings, ...socket })
  const { statusHost: host, statusPort: port } = settings
  if (port === 'none') return main
  const ports = { ...settings, ...socket, host, port }
  const status = await listen({ fetch: fetchStatus }, ports).catch(async (error: unknown) => {
    await main.stop(0)
    throw error
  })
  return {
    address: main.address,
    drain() {
      main.drain()
      status.drain()
    },
    async stop(graceMs) {
      await Promise.all([main.stop(graceMs), status.stop(graceMs)])
    },
  }
}
