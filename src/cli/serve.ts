/** `synoptic serve`: the HTTP server, in one process or several. */
import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { banner } from '../server/serve/banner.js'
import { readExamples } from '../server/serve/examples.js'
import type { ServerSettings } from '../base/config/settings.js'
import { SettingsError } from '../base/errors/index.js'
import { keepEmbeddings } from '../server/serve/background-embeddings.js'
import { keepMaps } from '../server/serve/serve-maps.js'
import { requireOnnxRuntime } from '../models/encoders/onnx-runtime.js'
import { prepareFirstStart } from '../server/serve/first-start.js'
import { createAccess } from '../server/http/access/create-access.js'
import { createRateLimits } from '../server/http/limits/rate-limits.js'
import { openRateStores } from '../server/http/limits/rate-stores.js'
import { requireFreePort } from '../server/http/server.js'
import { describeInventory, logFaults, type Inventory } from '../search/composition/inventory.js'
import { openAnalytics, type OpenAnalytics } from '../server/analytics/open-analytics.js'
import { createKeyRing } from '../base/keys/key-ring.js'
import { openLog, type Log } from '../base/observability/log.js'
import { openKeySource, type KeySource } from '../server/serve/key-source.js'
import {
  keepWrites,
  prepareWrites,
  takesWrites,
  type KeptWrites,
} from '../server/serve/keep-writes.js'
import { start } from '../server/serve/start.js'
import { needsMerge } from '../data/writes/merge-writes.js'
import { requireDefaultRanker } from '../models/registry/cross-encoders.js'
import { textOf } from '../server/metrics/merge.js'
import { createMetrics } from '../server/metrics/metrics.js'
import { nativeInfo } from '../native/addon/index.js'
import { requireSearchEncoder } from '../search/composition/require-search-encoder.js'
import { markServing } from '../base/util/serving-processes.js'
import { setScanThreads } from '../native/scheduling/threads.js'
import type { Command } from './command.js'
import { print, printError } from './print.js'
import { hasLostTerminal, inventoryOf, reloadOnHangUp } from './serve-reload.js'

export const serve: Command = {
  name: 'serve',
  summary: 'Starts the HTTP server. The first start imports the included works.',
  help: `Usage: synoptic serve [options]

Serves searches over HTTP until SIGINT or SIGTERM, then finishes the running requests and stops. If
there is no catalogue, the server first imports the included works and builds their embeddings. SIGHUP
loads a new catalogue, new embeddings and the keys without dropping a request.

Example:
  synoptic serve --port 8080 --rate-limit 0`,
  run,
}

/** Once the server takes no more requests, running ones may take this long to finish. */
const graceMs = 10_000
/** Within which a worker ends after that. */
const endMs = 2000

interface Running {
  readonly port: number
  /** The datasets and models at the start. */
  readonly inventory: Inventory
  reload(): Promise<unknown>
  /** Searches find what writes have left that are not merged yet. */
  showPending(): Promise<void> | void
  /** Reads the key file again, whatever comes of the data. */
  reloadKeys(): void
  stop(): Promise<void>
}

/** More processes than processors only take memory, and searches wait for each other. */
function warnOfManyWorkers({ workers }: ServerSettings, { logger }: Log): void {
  const processors = availableParallelism()
  if (workers <= processors) return
  const message = `--workers ${workers} is more than the ${processors} processors of this machine; ${processors} or fewer answer faster`
  printError(`warning: ${message}\n`)
  logger.warn({ workers, processors }, message)
}

async function run(_: readonly string[], settings: ServerSettings): Promise<number> {
  // The tokenizers library reads it. Its threads would compete with the event loop, and waking them takes
  // longer than tokenizing a query.
  process.env.TOKENIZERS_PARALLELISM ??= 'false'
  // Of a large catalogue each search takes a megabyte and frees it. V8 would collect what lives on, too, after every
  // few of them: 60,000 works took 43 instead of 16 ms of processor time a search.
  setFlagsFromString('--heap-growing-percent=100')
  if (cluster.isWorker) {
    const { serveAsWorker } = await import('../server/cluster/worker.js')
    return serveAsWorker(settings, graceMs)
  }
  const { stopSignal, hasHungUp } = watchSignals()
  const log = await openLog({ level: settings.logLevel, file: settings.logFile })
  logBugs(log)
  let analytics: OpenAnalytics | undefined
  try {
    requireOnnxRuntime()
    // Fails at once, not after an import and a warm-up, and not in every worker.
    const keys = openKeySource(settings, log.logger)
    await requireFreePorts(settings)
    warnOfManyWorkers(settings, log)
    await requireDefaultRanker(settings)
    await requireSearchEncoder(settings)
    await prepareFirstStart(settings, log.logger)
    await prepareWrites(settings, log.logger)
    const writes = hasWrites(settings) ? await keepWrites(settings, log.logger) : undefined
    if (settings.analytics !== 'none')
      analytics = await openAnalytics(settings.analytics, log.logger)
    const parts = { log, keys, writes, analytics }
    const server = await (settings.workers > 1 ? startSeveral : startOne)(settings, parts)
    logFaults(server.inventory, log.logger)
    const examples = readExamples(settings.dataDir, server.inventory)
    print(banner(settings, server.port, factsOf(settings, server.inventory), examples))
    const maps = keepMaps(settings, log.logger)
    const renew = () => {
      maps.renew()
      embeddings.renew()
    }
    const reload = reloadOnHangUp(server, { settings, logger: log.logger, onReloaded: renew })
    // From now on SIGHUP reloads; before it would end the process.
    const unmark = markServing(settings.dataDir)
    const embeddings = keepEmbeddings({ settings, logger: log.logger, onReady: reload })
    renew()
    writes?.begin(server, renew)
    if (hasHungUp()) {
      server.reloadKeys()
      reload()
    }
    const signal = await stopSignal
    unmark()
    log.logger.info({ signal }, 'stopping')
    await Promise.all([server.stop(), maps.stop(), embeddings.stop()])
    // Requests that are answered now may still write.
    await writes?.stop()
    if (signal === 'SIGHUP') process.once('exit', endWithoutTerminal)
    return 0
  } finally {
    await analytics?.close()
    await log.close()
  }
}

/** A server without keys takes no writes, and merges those that one with keys has answered. */
const hasWrites = (settings: ServerSettings) =>
  takesWrites(settings) || (settings.index !== 'opensearch' && needsMerge(settings.dataDir))

/** @throws SettingsError, ListenError */
async function requireFreePorts(settings: ServerSettings): Promise<void> {
  const { host, port, statusHost, statusPort } = settings
  // Sockets that share a port would take each other's connections.
  if (statusPort === port)
    throw new SettingsError([`--status-port: expected another port than --port, received ${port}`])
  await requireFreePort(host, port)
  if (statusPort !== 'none') await requireFreePort(statusHost, statusPort)
}

/** Node aborts at exit if it cannot reset its terminal. Ending by the signal itself resets none. */
function endWithoutTerminal(): void {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}

interface Parts {
  readonly log: Log
  readonly keys: KeySource | undefined
  readonly writes: KeptWrites | undefined
  readonly analytics: OpenAnalytics | undefined
}

async function startOne(
  settings: ServerSettings,
  { log: { logger }, keys, writes, analytics }: Parts,
): Promise<Running> {
  const metrics = createMetrics('1')
  const rates = await openRateStores(settings, logger)
  const ring = keys && createKeyRing(keys.keys())
  const server = await start(settings, {
    logger,
    metrics,
    metricsText: () => textOf(metrics),
    rateLimits: createRateLimits(settings, rates.stores),
    access: ring && createAccess(ring, rates.stores),
    ...(takesWrites(settings) && { writes }),
    analytics,
  })
  const { address, inventory } = server
  return {
    port: address.port,
    inventory,
    reload: () => server.reload(),
    showPending: () => server.showPending(),
    reloadKeys() {
      if (keys) ring?.replace(keys.reload())
    },
    async stop() {
      await server.stop({ drainMs: settings.drain * 1000, graceMs })
      rates.close()
    },
  }
}

async function startSeveral(
  settings: ServerSettings,
  { log, keys, writes, analytics }: Parts,
): Promise<Running> {
  const { workers, host, port } = settings
  const inventory = await inventoryOf(settings)
  const rates = await openRateStores(settings, log.logger)
  const { startPrimary } = await import('../server/cluster/primary.js')
  const primary = await startPrimary({
    workers,
    host,
    port,
    log,
    rateStores: rates.stores,
    keys: keys && (() => keys.keys()),
    writes,
    analytics,
    stopGraceMs: settings.drain * 1000 + graceMs + endMs,
  })
  return {
    ...primary,
    inventory,
    reloadKeys() {
      if (keys) primary.sendKeys(keys.reload())
    },
    async stop() {
      await primary.stop()
      rates.close()
    },
  }
}

function factsOf(settings: ServerSettings, inventory: Inventory): string[] {
  const { workers } = settings
  setScanThreads(settings)
  const { kernel, threads } = nativeInfo()
  const processes = workers === 1 ? 'one process' : `${workers} processes`
  const each = threads === 1 ? '1 thread' : `${threads} threads`
  return [...describeInventory(inventory), `kernel ${kernel}, ${each}, ${processes}`]
}

/** An uncaught error is a bug. The state is unknown after it, so it is logged and the process ends. */
function logBugs(log: Log): void {
  process.once('uncaughtException', (error, origin) => {
    log.logger.fatal({ err: error, origin }, 'a bug ends this process')
    void log.close().finally(() => process.exit(1))
  })
}

/** The first signal stops the server, a second one ends it at once. A reload waits for the start. */
function watchSignals(): {
  readonly stopSignal: Promise<string>
  readonly hasHungUp: () => boolean
} {
  let hungUp = false
  const stopSignal = new Promise<string>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    process.on('SIGHUP', (signal) => {
      if (hasLostTerminal()) resolve(signal)
      else hungUp = true
    })
  })
  return { stopSignal, hasHungUp: () => hungUp }
}
