/** Where embeddings lie: `<embeddings>/<dataset>/<model>/<column with spaces as _>.npy`. */
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

/** Different columns get different files, on systems that ignore the case of letters too. */
function columnFiles(columns: readonly string[]): string[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const stem = column
      .replaceAll(' ', '_')
      .replace(/[^\p{L}\p{N}._-]|^\./gu, '_')
      .slice(0, 100)
    let name = stem
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${stem}-${i}`
    taken.add(name.toLowerCase())
    return `${name}.npy`
  })
}
