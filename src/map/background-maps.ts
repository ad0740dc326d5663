/** Maps beside a server that runs: made in a process of low priority, one at a time, and given up when the server stops. */
import { fork } from 'node:child_process'
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
  const { catalogue, location, onProblem } = options
  const stop = new AbortController()
  const isStopping = () => stop.signal.aborted
  let running = Promise.resolve()

  async function run(): Promise<void> {
    if (isStopping()) return
    const wanted = await staleMaps(options)
    if (wanted.length === 0 || isStopping()) return
    await make({ catalogue, location, wanted }, options, stop.signal)
    if (!isStopping()) return
    for (const { dataset, model } of wanted)
      await removeLeftovers(mapFolder(location, dataset, model))
  }

  return {
    renew() {
      running = running.then(run).catch((error: unknown) => onProblem(String(error)))
    },
    async stop() {
      stop.abort()
      await running
    },
  }
}

/** Resolves when the process has ended. */
async function make(
  work: MapWork,
  { onMade, onProblem }: Pick<BackgroundMapsOptions, 'onMade' | 'onProblem'>,
  signal: AbortSignal,
): Promise<void> {
  // None of this process's flags but this one: an inspector would want a port of its own.
  const child = fork(program, [JSON.stringify(work)], {
    execArgv: ['--v8-pool-size=1'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  // A map appears whole or not at all, so there is nothing to wait for.
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-maxComplaint)
  })
  child.on('message', (message: MadeMap | { readonly problem: string }) => {
    if ('problem' in message) onProblem(message.problem)
    else onMade(message)
  })
  try {
    // `close` does not come where this process has closed the channel.
    await once(child, 'exit')
  } finally {
    signal.removeEventListener('abort', kill)
  }
  const { exitCode, signalCode } = child
  if (signal.aborted || exitCode === 0 || complaint === '') return
  onProblem(`it ended with ${signalCode ?? exitCode}: ${complaint.trim()}`)
}

const maxComplaint = 2000

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
