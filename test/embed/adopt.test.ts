/** Embeddings of the public original: its files as they are, in the store and in searches. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AdoptOptions, adoptEmbeddings } from '#synoptic/data/embed/adopt.js'
import { npyHeader } from '#synoptic/data/embed/npy-writer.js'
import { EmbeddingsImportError } from '#synoptic/base/errors/index.js'
import { describe, expect, test } from 'vitest'
import { type Workshop, columns, model, openWorkshop, readNpy, someTexts } from './workshop.js'

/** The rows of the catalogue in another order, with one more that the catalogue has not. */
const order = [3, 0, 4, 2, 1]
const lines = [...order.map((row) => someTexts[row] ?? []), ['theta theta', null]]

interface Original {
  readonly from: string
  readonly csv: string
  /** What the original has for a text: not normalised, and not just what the encoder gives here. */
  readonly vectors: Map<string, Float32Array>
}

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Writes a CSV and its matrices as pandas and NumPy do. */
async function writeOriginal({ folder, encoders }: Workshop): Promise<Original> {
  const from = join(folder, 'anime', 'all')
  mkdirSync(from, { recursive: true })
  const csv = join(folder, 'merged.csv')
  const header = ['anime_id', 'title', ...columns].join(',')
  const body = lines.map((texts, i) =>
    [
      `${i}.0`,
      quote(`a, "title"`),
      ...texts.map((text) => (text === null ? '' : quote(text))),
    ].join(','),
  )
  writeFileSync(csv, `${[header, ...body].join('\n')}\n`)
  const encoder = await encoders.get(model)
  const vectors = new Map<string, Float32Array>()
  for (const [column, name] of columns.entries()) {
    const texts = lines.map((line) => line[column] ?? '')
    const made = (await encoder.encode(texts)).vectors.map((value, i) => 3 * value + (i % 3) * 1e-3)
    texts.forEach((text, row) => vectors.set(text, made.slice(row * 4, row * 4 + 4)))
    const rows = texts.flatMap((text) => [...(vectors.get(text) ?? [])])
    writeMatrix(join(from, fileOf(name)), texts.length, Float32Array.from(rows))
  }
  return { from, csv, vectors }
}

const fileOf = (column: string) => `embeddings_${column.replaceAll(' ', '_')}.npy`

function writeMatrix(path: string, rows: number, values: Float32Array, dimension = 4): void {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  writeFileSync(path, Buffer.concat([npyHeader({ rows, dimension }), bytes]))
}

async function adopt(workshop: Workshop, options: Partial<AdoptOptions>) {
  const { catalogue, encoders, modelFolder, embeddingsDir } = workshop
  const place = { catalogue, modelFolder, embeddingsDir, encoder: await encoders.get(model) }
  return adoptEmbeddings({
    ...place,
    dataset: 'anime',
    from: '',
    csv: '',
    encodeRest: false,
    ...options,
  })
}

describe('adopting', () => {
  test('puts the vectors of the files into the rows of the catalogue, and encodes nothing', async () => {
    const workshop = openWorkshop()
    const { vectors, ...original } = await writeOriginal(workshop)
    const adopted = await adopt(workshop, original)
    expect(adopted).toMatchObject({ encoded: 0, texts: 5, manifest: { imported: true, rows: 5 } })
    for (const [column, { path }] of adopted.columns.entries()) {
      const { values } = readNpy(path)
      someTexts.forEach((texts, row) => {
        const text = texts[column] ?? null
        const expected = text === null ? new Float32Array(4) : vectors.get(text)
        expect(values.slice(row * 4, row * 4 + 4), `${column} ${row}`).toEqual(expected)
      })
    }
    expect(await workshop.build()).toMatchObject({ encoded: 0, manifest: { imported: true } })
  })

  test('takes the place of what was built', async () => {
    const workshop = openWorkshop()
    const built = await workshop.build()
    const before = readNpy(built.columns[0]?.path ?? '').values
    const adopted = await adopt(workshop, await writeOriginal(workshop))
    expect(readNpy(adopted.columns[0]?.path ?? '').values).not.toEqual(before)
    const forced = await workshop.build({ force: true })
    expect(readNpy(forced.columns[0]?.path ?? '').values).toEqual(before)
    expect(forced.manifest.imported).toBeUndefined()
  })

  test('texts that only the catalogue has are reported, and encoded where that is wanted', async () => {
    const workshop = openWorkshop()
    const original = await writeOriginal(workshop)
    workshop.setTexts([...someTexts, ['zeta', 'zeta eta'], ['zeta alpha', null]])
    await expect(adopt(workshop, original)).rejects.toThrow(
      /each of the 8 texts of the anime dataset, 3 have none \(synopsis: 2, Synopsis other Dataset: 1\)/,
    )
    expect(await adopt(workshop, { ...original, encodeRest: true })).toMatchObject({ encoded: 3 })
  })

  test('a header of the second version of the format is read too', async () => {
    const workshop = openWorkshop()
    const { vectors, ...original } = await writeOriginal(workshop)
    const path = join(original.from, fileOf('synopsis'))
    const file = readFileSync(path)
    const end = 10 + file.readUInt16LE(8)
    const start = Buffer.from('\x93NUMPY\x02\x00\0\0\0\0', 'latin1')
    // Its length takes two bytes more, the padding two fewer.
    start.writeUInt32LE(end - 12, 8)
    const header = Buffer.concat([file.subarray(10, end - 3), Buffer.from('\n')])
    writeFileSync(path, Buffer.concat([start, header, file.subarray(end)]))
    const { columns: built } = await adopt(workshop, original)
    expect(readNpy(built[0]?.path ?? '').values.slice(0, 4)).toEqual(vectors.get('alpha beta'))
  })
})

describe('is refused', () => {
  type Change = (original: Original, workshop: Workshop) => Partial<AdoptOptions> | undefined
  const matrix = ({ from }: Original) => join(from, fileOf('synopsis'))
  const noise = (length: number) => Float32Array.from({ length }, (_, i) => Math.cos(i * i))

  test.each<[string, Change, RegExp]>([
    ['a folder that is not there', () => ({ from: 'nowhere' }), /folder nowhere cannot be read/],
    ['a CSV that is not there', () => ({ csv: 'nowhere.csv' }), /there is no file nowhere\.csv/],
    [
      'a folder without matrices',
      (_, { modelFolder }) => ({ from: modelFolder }),
      /expected embeddings_synopsis\.npy, embeddings_Synopsis_other_Dataset\.npy in .*; found none/,
    ],
    [
      'a matrix of a column that the CSV has not',
      (original) => {
        writeMatrix(join(original.from, fileOf('Synopsis x')), 6, noise(24))
        return undefined
      },
      /expected files of the columns synopsis, .*; found embeddings_Synopsis_x\.npy besides/,
    ],
    [
      'fewer rows than the CSV has',
      (original) => {
        for (const name of columns) writeMatrix(join(original.from, fileOf(name)), 5, noise(20))
        return undefined
      },
      /expected 6 rows of embeddings, one a row of .*, found 5/,
    ],
    [
      'matrices of different lengths',
      (original) => {
        writeMatrix(matrix(original), 5, noise(20))
        return undefined
      },
      /not imported: .*rows/,
    ],
    [
      'a matrix that ends too early',
      (original) => {
        writeFileSync(matrix(original), readFileSync(matrix(original)).subarray(0, -1))
        return undefined
      },
      /not imported/,
    ],
    [
      'a matrix of float64',
      (original) => {
        const file = readFileSync(matrix(original)).toString('latin1').replace('<f4', '<f8')
        writeFileSync(matrix(original), Buffer.from(file, 'latin1'))
        return undefined
      },
      /not imported: .*f8/,
    ],
    [
      'vectors of another dimension',
      (original) => {
        for (const name of columns) writeMatrix(join(original.from, fileOf(name)), 6, noise(36), 6)
        return undefined
      },
      /expected vectors of 4 dimensions, as .* makes them, found 6/,
    ],
    [
      'vectors of another model',
      (original) => {
        for (const name of columns) writeMatrix(join(original.from, fileOf(name)), 6, noise(24))
        return undefined
      },
      /found a median cosine of -?\d\.\d+ over \d texts; another model made them/,
    ],
    [
      'a CSV with a torn line',
      ({ csv }) => {
        writeFileSync(csv, `${readFileSync(csv, 'utf8')}7.0,title\n`)
        return undefined
      },
      /line 8 of .* has (?:more|fewer) fields than the header/,
    ],
  ])('%s', async (_, change, problem) => {
    const workshop = openWorkshop()
    const original = await writeOriginal(workshop)
    const adopting = adopt(workshop, { ...original, ...change(original, workshop) })
    await expect(adopting).rejects.toThrow(EmbeddingsImportError)
    await expect(adopting).rejects.toThrow(problem)
  })
})
