/** `synoptic serve`: the HTTP server, in this process or in several. */
import cluster from 'node:cluster'
import { closeSync, openSync } from 'node:fs'
import type { Logger } from 'pino'
import { banner } from '../serve/banner.js'
import { catalogueFile, openCatalogue } from '../catalogue/open-catalogue.js'
import type { ServerSettings } from '../config/settings.js'
import { prepareFirstStart } from '../serve/first-start.js'
import { createRateLimits } from '../http/limits/rate-limits.js'
import { openRateStores } from '../http/limits/rate-stores.js'
import { requireFreePort } from '../http/server.js'
import {
  describeInventory,
  logFaults,
  takeInventory,
  type Inventory,
} from '../composition/inventory.js'
import { openLog, type Log } from '../observability/log.js'
import { start } from '../serve/start.js'
import { readModelNames } from '../models/registry.js'
import { requireDefaultRanker } from '../models/cross-encoders.js'
import { textOf } from '../observability/merge.js'
import { createMetrics } from '../observability/metrics.js'
import { nativeInfo } from '../native/index.js'
import { requireSearchEncoder } from '../ranking/search-encoder.js'
import { setScanThreads } from '../scheduling/threads.js'
import type { Command } from './command.js'

export const serve: Command = {
  name: 'serve',
  summary: 'Serves searches over HTTP; the first start imports a sample.',
  help: `Usage: synoptic serve [options]

Answers searches over HTTP until SIGINT or SIGTERM, then lets requests finish. Without a catalogue
it first imports the sample that ships with Synoptic and builds its embeddings. SIGHUP swaps in what
\`data import\` and \`embed build\` have made since, without a dropped request.

Example:
  synoptic serve --port 8080 --rate-limit 0`,
  run,
}

/** Requests may take this long to finish once the server is asked to stop. */
const drainMs = 10_000
/** A worker that has not ended by then is killed. */
const workerGraceMs = drainMs + 2000

interface Running {
  readonly port: number
  /** What it could search when it started. */
  readonly inventory: Inventory
  reload(): Promise<unknown>
  stop(): Promise<void>
}

async function run(_: readonly string[], settings: ServerSettings): Promise<number> {
  // Read by the library of that name. Its threads would have the priority of the one that answers clients, and
  // waking them takes longer than the texts of requests.
  process.env.TOKENIZERS_PARALLELISM ??= 'false'
  if (cluster.isWorker) {
    const { serveAsWorker } = await import('../cluster/worker.js')
    return serveAsWorker(settings, drainMs)
  }
  const log = await openLog({ level: settings.logLevel, file: settings.logFile })
  const asked = askedToStop()
  logBugs(log)
  try {
    // Told at once, not after an import and a warm-up, and not by every worker.
    await requireFreePort(settings.host, settings.port)
    await requireDefaultRanker(settings)
    await requireSearchEncoder(settings)
    await prepareFirstStart(settings, log.logger)
    const server = await (settings.workers > 1 ? startSeveral : startOne)(settings, log)
    logFaults(server.inventory, log.logger)
    process.stdout.write(banner(settings, server.port, factsOf(settings, server.inventory)))
    reloadOnHangUp(server, settings, log.logger)
    const signal = await asked
    log.logger.info({ signal }, 'stopping')
    await server.stop()
    if (signal === 'SIGHUP') process.once('exit', endWithoutTerminal)
    return 0
  } finally {
    await log.close()
  }
}

/** Node aborts where it cannot reset the terminal that it began in; the signal's own end resets none. */
function endWithoutTerminal(): void {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}

async function startOne(settings: ServerSettings, { logger }: Log): Promise<Running> {
  const metrics = createMetrics('1')
  const rates = await openRateStores(settings, logger)
  const server = await start(settings, {
    logger,
    metrics,
    metricsText: () => textOf(metrics),
    rateLimits: createRateLimits(settings, rates.stores),
  })
  const { address, inventory } = server
  return {
    port: address.port,
    inventory,
    reload: () => server.reload(),
    async stop() {
      await server.stop(drainMs)
      rates.close()
    },
  }
}

async function startSeveral(settings: ServerSettings, log: Log): Promise<Running> {
  const { workers, host, port } = settings
  const inventory = await inventoryOf(settings)
  const rates = await openRateStores(settings, log.logger)
  const { startPrimary } = await import('../cluster/primary.js')
  const primary = await startPrimary({
    workers,
    host,
    port,
    log,
    rateStores: rates.stores,
    stopGraceMs: workerGraceMs,
  })
  return {
    ...primary,
    inventory,
    async stop() {
      await primary.stop()
      rates.close()
    },
  }
}

async function inventoryOf(settings: ServerSettings): Promise<Inventory> {
  readModelNames(settings)
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    return await takeInventory(catalogue, settings)
  } finally {
    catalogue.close()
  }
}

/**
 * SIGHUP, as servers take it: what is on disk now is served from then on, or an error is logged. One that
 * comes during a reload asks for another one after it, of which all that come meanwhile are part.
 */
function reloadOnHangUp(server: Running, settings: ServerSettings, logger: Logger): void {
  let reloading = Promise.resolve()
  let isNextAsked = false
  const reload = async () => {
    isNextAsked = false
    try {
      await server.reload()
      const inventory = await inventoryOf(settings)
      logger.info({ serves: describeInventory(inventory) }, 'reloaded')
      logFaults(inventory, logger)
    } catch (error) {
      logger.error({ err: error }, 'the reload failed; serving on as before')
    }
  }
  process.on('SIGHUP', () => {
    if (isNextAsked || hasLostTerminal()) return
    isNextAsked = true
    reloading = reloading.then(reload)
  })
}

function factsOf(settings: ServerSettings, inventory: Inventory): string[] {
  const { workers } = settings
  setScanThreads(settings)
  const { kernel, threads } = nativeInfo()
  const processes = workers === 1 ? 'one process' : `${workers} processes`
  return [...describeInventory(inventory), `kernel ${kernel}, ${threads} threads, ${processes}`]
}

/** What nobody caught is a bug: after it nothing is certain, so it is logged and the process ends. */
function logBugs(log: Log): void {
  process.once('uncaughtException', (error, origin) => {
    log.logger.fatal({ err: error, origin }, 'a bug ends this process')
    void log.close().finally(() => process.exit(1))
  })
}

/** A second signal ends the process at once, as signals do by themselves. */
function askedToStop(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
    process.on('SIGHUP', (signal) => {
      if (hasLostTerminal()) resolve(signal)
    })
  })
}

/** A terminal that is closed sends SIGHUP too; whoever started the server there wants it to end. */
function hasLostTerminal(): boolean {
  if (!process.stderr.isTTY) return false
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return false
  } catch {
    return true
  }
}
