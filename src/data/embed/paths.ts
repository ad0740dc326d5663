/** Where embeddings lie: `<embeddings>/<dataset>/<model>/<column with spaces as _>.npy`. */
import { hash } from 'node:crypto'
import { join } from 'node:path'

export interface EmbeddingPaths {
  readonly folder: string
  readonly manifest: string
  /** Hashes of the texts that the rows were made from. */
  readonly hashes: string
  /** What a build in progress has; it goes on from there when it is killed. */
  readonly building: string
  /** In the order of the dataset's columns. */
  readonly columns: readonly { readonly name: string; readonly path: string }[]
}

export interface EmbeddingLocation {
  readonly embeddingsDir: string
  readonly dataset: string
  /** A name of the catalogue of models: its parts are folders. */
  readonly model: string
}

export const hashesName = 'text-hashes.bin'

export function embeddingPaths(
  location: EmbeddingLocation,
  columns: readonly string[],
): EmbeddingPaths {
  const folder = join(location.embeddingsDir, location.dataset, ...location.model.split('/'))
  const files = columnFiles(columns)
  return {
    folder,
    manifest: join(folder, 'manifest.json'),
    hashes: join(folder, hashesName),
    building: join(folder, '.building'),
    columns: columns.map((name, i) => ({ name, path: join(folder, files[i] ?? '') })),
  }
}

/** File systems allow 255 bytes; `.npy.q8` and what temporary files add come to fewer than 55. */
const maxStemBytes = 200
const hashDigits = 16

/** Different columns get different files, on systems that ignore the case of letters too. */
function columnFiles(columns: readonly string[]): string[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const stem = shortened(
      column,
      column.replaceAll(' ', '_').replace(/[^\p{L}\p{N}._-]|^\./gu, '_'),
    )
    let name = stem
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${stem}-${i}`
    taken.add(name.toLowerCase())
    return `${name}.npy`
  })
}

/** A letter may take four bytes. A hash takes the place of what has to go. */
function shortened(column: string, stem: string): string {
  if (Buffer.byteLength(stem) <= maxStemBytes) return stem
  const digits = hash('sha256', column).slice(0, hashDigits)
  let shortened = ''
  for (const letter of stem) {
    if (Buffer.byteLength(shortened + letter) + 1 + hashDigits > maxStemBytes) break
    shortened += letter
  }
  return `${shortened}-${digits}`
}
