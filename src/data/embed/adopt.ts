/** Takes over embeddings of the public original: what is searched then are its vectors, re-encoded none. */
import { cosine } from '../../base/util/cosine.js'
import { EmbeddingsImportError } from '../../base/errors/index.js'
import { type BuildOptions, type BuildResult, buildEmbeddings } from './build.js'
import { type OriginalFiles, readOriginalFiles } from './original-files.js'
import { openVectorFile } from '../../base/util/vector-file.js'

export interface AdoptOptions extends Omit<BuildOptions, 'adopted' | 'force'> {
  /** Folder of the `.npy` files. */
  readonly from: string
  /** The merged entries that they were made from. */
  readonly csv: string
  /** Encodes texts that only the catalogue has; it is an error otherwise. */
  readonly encodeRest: boolean
}

/** Rejects with an EmbeddingsImportError, a DataImportError or what `buildEmbeddings` rejects with. */
export async function adoptEmbeddings(options: AdoptOptions): Promise<BuildResult> {
  const { from, csv, encodeRest, ...build } = options
  const { encoder } = build
  const original = await readOriginalFiles(from, csv)
  if (original.dimension !== encoder.dimension) {
    throw new EmbeddingsImportError(
      `expected vectors of ${encoder.dimension} dimensions, as ${encoder.model} makes them, ` +
        `found ${original.dimension}`,
    )
  }
  await compareSamples(original, options)
  return buildEmbeddings({ ...build, adopted: { files: original.columns, encodeRest } })
}

/** Another machine, half precision and texts that were tidied otherwise cost far less than this. */
const minMedianCosine = 0.9

/** Vectors of another model, or of other rows, would be served without anybody noticing. */
async function compareSamples({ columns, dimension }: OriginalFiles, { encoder }: AdoptOptions) {
  const cosines: number[] = []
  for (const { path, samples } of columns) {
    const { vectors } = await encoder.encode(
      samples.map(({ text }) => text),
      { as: 'passage' },
    )
    const file = openVectorFile(path, dimension)
    try {
      for (const [i, { row }] of samples.entries()) {
        const adopted = new Float32Array(dimension)
        file.read(row, adopted, 0)
        cosines.push(cosine(adopted, vectors.subarray(i * dimension, (i + 1) * dimension)))
      }
    } finally {
      file.close()
    }
  }
  const median = cosines.sort((a, b) => a - b)[cosines.length >> 1] ?? 1
  if (median >= minMedianCosine) return
  throw new EmbeddingsImportError(
    `expected vectors near those that ${encoder.model} makes of the same texts, found a median cosine ` +
      `of ${median.toFixed(3)} over ${cosines.length} texts; another model made them, or of another CSV`,
  )
}
