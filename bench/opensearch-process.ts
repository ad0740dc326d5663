/**
 * The memory of one process that searches, for bench/opensearch.ts: opens the vectors in files or in the engine, searches,
 * and prints a MemoryResult as JSON.
 */
import { readFileSync } from 'node:fs'
import type { Material } from '../tools/opensearch/material.js'

/** Megabytes of memory that is resident; of both files that are mapped, and the rest. */
export interface MemoryResult {
  readonly own: number
  readonly mapped: number
}

/** By file, as the options of a process may be long. */
export interface MemoryOptions {
  readonly made: Material
  /** None: the vectors are in files. */
  readonly urls: readonly string[]
  readonly dimension: number
  readonly searches: number
}

const tool = new URL('../../tools/opensearch/material.js', import.meta.url).href
const material = (await import(tool)) as typeof import('../tools/opensearch/material.js')
const options = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as MemoryOptions

const { made, urls, dimension, searches } = options
const before = resident()
const centres = material.makeCentres(dimension)
const remote =
  urls.length > 0 ? await material.openRemote(made, urls, { timeoutMs: 60_000 }) : undefined
const index = remote?.index ?? (await material.openLocal(made))
for (let i = 0; i < searches; i += 1) {
  await index.search(material.randomVector(dimension, 10_000_000 + i, centres), 1, 10)
}
const after = resident()
const result: MemoryResult = {
  own: after.own - before.own,
  mapped: after.mapped - before.mapped,
}
process.stdout.write(JSON.stringify(result))
await remote?.engine.close()
index.close()

function resident(): MemoryResult {
  const status = readFileSync('/proc/self/status', 'utf8')
  const megabytes = (name: string) =>
    (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024) / 1e6
  return { own: megabytes('RssAnon'), mapped: megabytes('RssFile') + megabytes('RssShmem') }
}
