/** Maps beside a server that runs: made in a process of low priority, one at a time, and given up when the server stops. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DatasetName } from '../catalogue/catalogue.js'
import { openCatalogue } from '../catalogue/open-catalogue.js'
import { mapFolder, mapState, removeLeftovers, type MapLocation } from './build-map.js'

/** What the process is told. */
export interface MapWork {
  /** The catalogue's file. */
  readonly catalogue: string
  readonly location: MapLocation
  readonly wanted: readonly { readonly dataset: DatasetName; readonly model: string }[]
}

export interface BackgroundMapsOptions extends Omit<MapWork, 'wanted'> {
  /** Whose maps are renewed. */
  readonly models: readonly string[]
  readonly onMade: (made: MadeMap) => void
  readonly onProblem: (problem: string) => void
}

export interface MadeMap {
  readonly dataset: string
  readonly model: string
  readonly works: number
  readonly ms: number
}

export interface BackgroundMaps {
  /** Makes the maps that are wanted and not there, or of other texts. After a run under way, another one. */
  renew(): void
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('map-process.js', import.meta.url))

export function createBackgroundMaps(options: BackgroundMapsOptions): BackgroundMaps {
  const { onMade, onProblem, models, ...work } = options
  let running = Promise.resolve()
  let isStopping = false
  let child: ChildProcess | undefined

  async function run(): Promise<void> {
    if (isStopping) return
    const wanted = await staleMaps(options)
    if (wanted.length === 0 || isStopping) return
    const argument = JSON.stringify({ ...work, wanted } satisfies MapWork)
    // No flags of this process: an inspector would want a port of its own.
    child = fork(program, [argument], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk}`.slice(-2000)))
    child.on('message', (message: MadeMap | { readonly problem: string }) => {
      if ('problem' in message) onProblem(message.problem)
      else onMade(message)
    })
    const [status, signal] = (await once(child, 'exit').catch((error: unknown) => [
      String(error),
    ])) as [unknown, unknown]
    child = undefined
    if (isStopping) {
      for (const { dataset, model } of wanted)
        await removeLeftovers(mapFolder(options.location, dataset, model))
    }
    if (status !== 0 && complaint !== '' && !isStopping)
      onProblem(`it ended with ${String(signal ?? status)}: ${complaint.trim()}`)
  }

  return {
    renew() {
      running = running.then(run).catch((error: unknown) => onProblem(String(error)))
    },
    async stop() {
      isStopping = true
      // A map appears whole or not at all, so there is nothing to wait for.
      child?.kill('SIGKILL')
      await running
    },
  }
}

async function staleMaps({
  catalogue: file,
  location,
  models,
}: BackgroundMapsOptions): Promise<MapWork['wanted']> {
  const catalogue = openCatalogue(file)
  try {
    const pairs = catalogue
      .datasets()
      .flatMap(({ name: dataset }) => models.map((model) => ({ dataset, model })))
    const states = await Promise.all(
      pairs.map(({ dataset, model }) =>
        mapState(catalogue, location, dataset, model).catch(() => 'none'),
      ),
    )
    return pairs.filter((_, at) => states[at] === 'stale')
  } finally {
    catalogue.close()
  }
}
