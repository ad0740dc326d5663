/** Vectors of any number, published and opened as a server does it: for the trial of a cluster and the bench. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openCollection } from '#synoptic/native/addon/index.js'
import { createEngine } from '#synoptic/search/opensearch/engine.js'
import { findIndex } from '#synoptic/search/opensearch/find-index.js'
import { publishIndex } from '#synoptic/search/opensearch/publish.js'
import { openRemoteIndex } from '#synoptic/search/opensearch/remote-index.js'

export const model = 'trial/random'
const revision = 'f'.repeat(64)
const groups = 500

/** Texts are like others: half of each vector is that of its group. */
export function randomVector(dimension, seed, centres) {
  const random = randomSource(seed)
  const group = Math.floor(random() * groups) * dimension
  return Float32Array.from(
    { length: dimension },
    (_, d) => centres[group + d] + random() + random() + random() - 1.5,
  )
}

export function makeCentres(dimension) {
  const random = randomSource(1)
  return Float32Array.from({ length: groups * dimension }, () => random() + random() - 1)
}

/**
 * Writes a matrix a column. What it returns is plain data, for a process of its own.
 * @param share of rows with a vector in the columns after the first
 */
export function makeMaterial(folder, { rows, dimension, columns = 1, share = 1 }) {
  const every = Math.round(1 / share)
  const none = Buffer.alloc(dimension * 4)
  const centres = makeCentres(dimension)
  const made = Array.from({ length: columns }, (_, column) => {
    const path = join(folder, `column${column}.npy`)
    const hash = createHash('sha256')
    const file = openSync(path, 'w')
    const write = (bytes) => {
      hash.update(bytes)
      writeSync(file, bytes)
    }
    write(npyHeader(rows, dimension))
    for (let row = 0; row < rows; row += 1) {
      const isThere = column === 0 || row % every === 0
      const vector = isThere && randomVector(dimension, row * columns + column + 10, centres)
      write(vector ? Buffer.from(vector.buffer) : none)
    }
    closeSync(file)
    return { name: `column ${column}`, path, sha256: hash.digest('hex') }
  })
  const version = createHash('sha256')
    .update(JSON.stringify(made.map((c) => c.sha256)))
    .digest('hex')
  const names = made.map(({ name }) => name)
  return {
    dataset: { name: 'anime', version, rows, columns: names },
    embeddings: { manifest: { model, modelRevision: revision }, columns: made },
  }
}

export async function publish({ dataset, embeddings }, urls, options) {
  const { shards, replicas, prefix = 'trial', hasGraph, onProgress = () => undefined } = options
  const engine = createEngine({ urls, timeoutMs: 60_000 })
  const vectors = await openCollection({ columns: embeddings.columns })
  try {
    return await publishIndex({
      engine,
      prefix,
      dataset,
      embeddings,
      vectors,
      hasGraph,
      onProgress,
      spread: { shards, replicas },
      signal: new AbortController().signal,
    })
  } finally {
    vectors.close()
    await engine.close()
  }
}

export async function openRemote({ dataset }, urls, options = {}) {
  const { timeoutMs = 10_000, prefix = 'trial', candidates } = options
  const engine = createEngine({ urls, timeoutMs })
  const found = await findIndex(engine, { prefix, dataset, model, revision, candidates })
  const index = await openRemoteIndex({ engine, found, timeoutMs, candidates })
  return { index, engine, name: found.name }
}

export const openLocal = ({ embeddings }) => openCollection({ columns: embeddings.columns })

export function randomSource(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function npyHeader(rows, dimension) {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${dimension}), }`
  const padded = `${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`
  const prefix = Buffer.from('\x93NUMPY\x01\0\0\0', 'latin1')
  prefix.writeUInt16LE(padded.length, 8)
  return Buffer.concat([prefix, Buffer.from(padded, 'latin1')])
}
