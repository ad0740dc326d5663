/** Makes maps: with a bar, and those that were there before a change. */
import { SingleBar } from 'cli-progress'
import { buildMap, mapState, type BuildMapOptions } from '../search/map/build-map.js'
import { barSize } from './bar-size.js'
import { describeSeconds } from './embed-progress.js'
import { print } from './print.js'

export async function buildMapWithBar(options: BuildMapOptions): Promise<void> {
  const { dataset } = options
  const format = `${dataset} map [{bar}]`
  const bar = new SingleBar({
    format,
    barsize: barSize(dataset.length + 10),
    clearOnComplete: true,
    hideCursor: true,
  })
  const startMs = performance.now()
  const isTerminal = process.stderr.isTTY
  if (isTerminal) bar.start(1, 0)
  try {
    const { works, unplaced } = await buildMap({
      ...options,
      onProgress: (share) => isTerminal && bar.update(share),
    })
    if (isTerminal) bar.stop()
    const rest = unplaced === 0 ? '' : `, ${unplaced} without texts and tags are not on it`
    const seconds = describeSeconds((performance.now() - startMs) / 1000)
    print(`${dataset}: a map of ${works} works${rest}, in ${seconds}\n`)
  } finally {
    if (isTerminal) bar.stop()
  }
}

/** Makes the map again if there is one of other texts. */
export async function renewMap(options: BuildMapOptions): Promise<void> {
  const { catalogue, location, dataset, model } = options
  const state = await mapState(catalogue, location, dataset, model)
  if (state === 'stale') await buildMapWithBar(options)
}
