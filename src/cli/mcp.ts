/** `synoptic mcp`: the searches as tools for a program that starts this one, over stdin and stdout. */
import type { Logger } from 'pino'
import { openSearch } from '../search/composition/open-search.js'
import type { McpSettings } from '../base/config/mcp-settings.js'
import { serveStdio } from '../server/mcp/serve-stdio.js'
import { requireDefaultRanker } from '../models/registry/cross-encoders.js'
import { openLog } from '../base/observability/log.js'
import { requireSearchEncoder } from '../search/composition/require-search-encoder.js'
import { watchIdle } from '../models/residency/idle-watch.js'
import { setScanThreads } from '../native/scheduling/threads.js'
import { prepareFirstStart } from '../server/serve/first-start.js'
import { createEntryIds } from '../server/http/entry-ids.js'
import type { ToolDatasets } from '../server/mcp/serve-stdio.js'
import { servedDatasets } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import { CatalogueError } from '../base/errors/index.js'
import type { Command } from './command.js'
import { stopOnSignal } from './stop-on-signal.js'

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serves the searches as tools for language models, over stdin and stdout (MCP).',
  help: `Usage: synoptic mcp [options]

Speaks the Model Context Protocol over stdin and stdout, for programs that start their tools
themselves. The tools are find_anime, find_manga, similar, recommend and get_entry. Messages go to
stderr. A running server has the same tools at /mcp. If there is no catalogue, the command first imports the
included works, for which the first call of a tool waits up to a minute.

In the configuration of a client:
  {"mcpServers": {"synoptic": {"command": "synoptic", "args": ["mcp", "--data-dir", "/srv/data", "--embeddings-dir", "/srv/embeddings"]}}}

Example:
  synoptic mcp --data-dir /srv/data --embeddings-dir /srv/embeddings`,
  run: (_, settings) => run(settings as McpSettings),
}

async function run(own: McpSettings): Promise<number> {
  process.env.TOKENIZERS_PARALLELISM ??= 'false'
  const settings = { ...own, workers: 1 }
  const log = await openLog({ level: own.logLevel, file: own.logFile })
  const { signal, forget } = stopOnSignal()
  try {
    await requireDefaultRanker(settings)
    await requireSearchEncoder(settings)
    // Clients give up on a server that says nothing while it imports.
    const opening = open(settings, log.logger)
    try {
      await serveStdio(opening, { ...datasetsOf(own.dataDir), logger: log.logger, signal })
    } finally {
      await opening.then((search) => search.close()).catch(() => undefined)
    }
    return 0
  } finally {
    forget()
    await log.close()
  }
}

/** A first start imports anime and manga. What is wrong with a catalogue is reported when it is opened. */
function datasetsOf(dataDir: string): ToolDatasets {
  try {
    const catalogue = openCatalogue(catalogueFile(dataDir))
    try {
      const datasets = servedDatasets(catalogue.datasets().map(({ name }) => name))
      return { datasets, hasTextIds: createEntryIds(catalogue).hasTexts }
    } finally {
      catalogue.close()
    }
  } catch (error) {
    if (error instanceof CatalogueError) return { datasets: servedDatasets([]), hasTextIds: false }
    throw error
  }
}

/** Imports what is missing, and opens the search. */
async function open(settings: McpSettings & { readonly workers: number }, logger: Logger) {
  await prepareFirstStart(settings, logger)
  setScanThreads(settings)
  const search = await openSearch(settings, { warn: (message) => logger.warn(message) })
  const stopIdleWatch = watchIdle({
    idleTimeout: settings.idleTimeout,
    closeIdle: (idleMs) => search.closeIdle(idleMs),
    logger,
  })
  return {
    ...search,
    adult: settings.adult,
    async close() {
      stopIdleWatch()
      await search.close()
    },
  }
}
