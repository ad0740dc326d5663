/** Vectors that need not be made again, found by the hash of their text. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from './file-hash.js'
import { type Manifest, compactRows, readManifest } from './manifest.js'
import type { EmbeddingPaths } from './paths.js'
import { hashBytes, keyAt } from './texts.js'
import { type VectorFile, openVectorFile } from '../../base/util/vector-file.js'

export interface KnownVectors {
  has(key: string): boolean
  /** Copies the vector of a text that is known. */
  read(key: string, target: Float32Array, offset: number): void
  /** @param start where the vectors begin; taken from the header of a `.npy` file when omitted */
  add(path: string, keys: Iterable<string>, start?: number): void
  /** Idempotent. */
  close(): void
}

export function createKnownVectors(dimension: number): KnownVectors {
  const locations = new Map<string, { file: VectorFile; n: number }>()
  const files: VectorFile[] = []
  return {
    has: (key) => locations.has(key),
    read(key, target, offset) {
      const location = locations.get(key)
      if (location === undefined) throw new Error('expected a vector of every text, one is missing')
      location.file.read(location.n, target, offset)
    },
    add(path, keys, start) {
      const file = openVectorFile(path, dimension, start)
      files.push(file)
      let n = 0
      for (const key of keys) locations.set(key, { file, n: n++ })
    },
    close() {
      for (const file of files.splice(0)) file.close()
    },
  }
}

/** Adds what an earlier build made with the same model; damaged files are left out. Returns what it was. */
export async function addBuilt(
  known: KnownVectors,
  paths: EmbeddingPaths,
  revision: string,
): Promise<Manifest | undefined> {
  const manifest = await readManifest(paths.manifest).catch(() => undefined)
  if (manifest?.modelRevision !== revision) return undefined
  const hashes = await readFile(paths.hashes).catch(() => Buffer.alloc(0))
  if (hashes.length !== manifest.columns.length * manifest.rows * hashBytes) return undefined
  for (const [i, column] of manifest.columns.entries()) {
    const path = join(paths.folder, column.file)
    const found = await hashFile(path).catch(() => undefined)
    if (found === column.sha256) known.add(path, columnKeys(hashes, i, manifest))
  }
  return manifest
}

function* columnKeys(hashes: Buffer, column: number, manifest: Manifest): Generator<string> {
  const { rows } = manifest
  const chosen = manifest.columns[column]?.compact ? compactRows(manifest) : undefined
  for (const row of chosen ?? Array(rows).keys()) yield keyAt(hashes, column * rows + row)
}
