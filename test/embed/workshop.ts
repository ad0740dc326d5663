/** A catalogue of a few texts, a tiny model and a store, in a folder of their own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCatalogue } from '#synoptic/data/catalogue/build-catalogue.js'
import type { Catalogue, DatasetInfo, DatasetName } from '#synoptic/data/catalogue/catalogue.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { type BuildOptions, buildEmbeddings } from '#synoptic/data/embed/build.js'
import { embeddingPaths } from '#synoptic/data/embed/paths.js'
import type { Encoder } from '#synoptic/models/encoders/encoder.js'
import { type NamedEncoders, createNamedEncoders } from '../helpers/named-encoders.js'
import { modelRevision } from '#synoptic/models/format/revision.js'
import { afterEach } from 'vitest'
import { type TinyModel, tinyWords, writeTinyModel } from '../helpers/tiny-model.js'

export const model = 'fine_tuned_sbert_anime_model'
export const columns = ['synopsis', 'Synopsis other Dataset']
export type Texts = readonly (readonly (string | null)[])[]

/** Row 1 has no second text, row 3 none at all; one text occurs three times. */
export const someTexts: Texts = [
  ['alpha beta', 'gamma'],
  ['beta', null],
  ['delta epsilon zeta', 'alpha beta'],
  [null, null],
  ['alpha beta', 'eta theta'],
]

/** Texts that all differ. */
export const manyTexts = (rows: number): Texts =>
  Array.from({ length: rows }, (_, row) =>
    columns.map((_, column) =>
      Array.from({ length: 6 }, (_, i) => tinyWords[((row * 2 + column) >> (i * 3)) & 7]).join(' '),
    ),
  )

export interface Workshop {
  readonly folder: string
  readonly modelFolder: string
  readonly embeddingsDir: string
  readonly encoders: NamedEncoders
  readonly catalogue: Catalogue
  readonly dataset: DatasetInfo
  /** Replaces the catalogue. */
  readonly setTexts: (texts: Texts, names?: readonly string[]) => void
  readonly build: (options?: Partial<BuildOptions>) => ReturnType<typeof buildEmbeddings>
  readonly query: () => Promise<
    Parameters<typeof import('#synoptic/data/embed/open-embeddings.js').openEmbeddings>[0]
  >
  readonly paths: () => ReturnType<typeof embeddingPaths>
  readonly writeModel: (tiny?: TinyModel) => void
}

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

export function openWorkshop(texts: Texts = someTexts, name: DatasetName = 'anime'): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-embed-'))
  const [modelsDir, embeddingsDir] = [join(folder, 'models'), join(folder, 'embeddings')]
  const modelFolder = join(modelsDir, model)
  writeTinyModel(modelFolder)
  const encoders = createNamedEncoders({ modelsDir, threads: 1 })
  const file = join(folder, 'catalogue.sqlite')
  let catalogue = writeCatalogue(file, name, texts, columns)
  const dataset = () => {
    const info = catalogue.dataset(name)
    if (info === undefined) throw new Error('the dataset is missing')
    return info
  }
  opened.push(async () => {
    catalogue.close()
    await encoders.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    modelFolder,
    embeddingsDir,
    encoders,
    get catalogue() {
      return catalogue
    },
    get dataset() {
      return dataset()
    },
    setTexts(changed, names = columns) {
      catalogue.close()
      catalogue = writeCatalogue(file, name, changed, names)
    },
    async build(options) {
      const encoder = await encoders.get(model)
      const common = { catalogue, encoder, modelFolder, embeddingsDir, dataset: name }
      return buildEmbeddings({ ...common, ...options })
    },
    async query() {
      const revision = await modelRevision(modelFolder)
      return { embeddingsDir, dataset: dataset(), model, revision }
    },
    paths: () => embeddingPaths({ embeddingsDir, dataset: name, model }, dataset().columns),
    writeModel(tiny) {
      rmSync(modelFolder, { recursive: true })
      writeTinyModel(modelFolder, tiny)
    },
  }
}

function writeCatalogue(
  file: string,
  name: DatasetName,
  texts: Texts,
  names: readonly string[],
): Catalogue {
  const rows = texts.map((row, i) => ({
    id: i + 1,
    title: `Entry ${i + 1}`,
    type: null,
    year: null,
    score: null,
    genres: [],
    metadata: {},
    texts: row,
  }))
  buildCatalogue(file, [{ name, columns: names, rows }])
  return openCatalogue(file)
}

/** Rows of a `.npy` file, read by the letter of the format. */
export function readNpy(path: string): { rows: number; dimension: number; values: Float32Array } {
  const file = readFileSync(path)
  const start = 10 + file.readUInt16LE(8)
  const header = file.toString('latin1', 10, start)
  const shape = /^\{'descr': '<f4', 'fortran_order': False, 'shape': \((\d+), (\d+)\), \} *\n$/
  const [, rows = NaN, dimension = NaN] = (shape.exec(header) ?? []).map(Number)
  const values = new Float32Array(
    file.buffer.slice(file.byteOffset + start, file.byteOffset + file.length),
  )
  return { rows, dimension, values }
}

/** What the encoder itself makes of a column. */
export async function expectedRows(encoder: Encoder, texts: Texts, column: number) {
  const { vectors } = await encoder.encode(texts.map((row) => row[column] ?? ''))
  const { dimension } = encoder
  texts.forEach((row, i) => {
    if (row[column] === null) vectors.fill(0, i * dimension, (i + 1) * dimension)
  })
  return vectors
}
