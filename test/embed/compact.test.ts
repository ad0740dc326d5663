/** Matrices of columns that have a text in few rows: small, searched as if they had every row, and reused. */
import { statSync } from 'node:fs'
import { openEmbeddings } from '#synoptic/data/embed/open-embeddings.js'
import { openCollection } from '#synoptic/native/addon/index.js'
import { describe, expect, test } from 'vitest'
import { tinyWords } from '../helpers/tiny-model.js'
import { columns, openWorkshop, readNpy, type Texts } from './workshop.js'

const rowCount = 5000
const textAt = (row: number) => `${tinyWords[row % 7]} ${tinyWords[(row >> 3) % 7]}`
/** Each row has a synopsis; every hundredth has the other text, too. */
const texts: Texts = Array.from({ length: rowCount }, (_, row) => [
  textAt(row),
  row % 100 === 7 ? `${tinyWords[(row / 100) & 7]} kappa` : null,
])

describe('a column of few texts', () => {
  test('has a matrix of few rows, which a search finds', async () => {
    const { build, query, encoders, dataset } = openWorkshop(texts)
    const { manifest } = await build()
    const [all, few] = (await openEmbeddings(await query())).columns
    expect(manifest).toMatchObject({ format: 2, columns: [{}, { compact: true, texts: 50 }] })
    expect(readNpy(all?.path ?? '')).toMatchObject({ rows: rowCount })
    expect(readNpy(few?.path ?? '')).toMatchObject({ rows: 50 })
    expect(statSync(few?.path ?? '').size).toBeLessThan(statSync(all?.path ?? '').size / 50)

    const index = await openCollection(await openEmbeddings(await query()))
    expect(index).toMatchObject({ rows: rowCount, columns: dataset.columns })
    const encoder = await encoders.get(manifest.model)
    const { vectors } = await encoder.encode([texts[107]?.[1] ?? ''])
    const found = await index.search(vectors, 1, rowCount, { columns: [1] })
    const sameText = [...texts.keys()].filter((row) => texts[row]?.[1] === texts[107]?.[1])
    expect([...found.rows.subarray(0, sameText.length)]).toEqual(sameText)
    expect(found.scores[0]).toBeCloseTo(1, 5)
    expect(found.counts[0]).toBe(50)
    index.close()
  })

  test('is not encoded again when other rows get a text', async () => {
    const { build, setTexts } = openWorkshop(texts)
    await build()
    setTexts(texts.map((row, at) => (at === 0 ? [row[0] ?? '', 'theta kappa alpha'] : row)))
    const second = await build()
    expect(second).toMatchObject({ encoded: 1 })
    expect(second.manifest.columns[1]).toMatchObject({ compact: true, texts: 51 })
    setTexts(
      texts.map(([text]) => [text ?? null, text ?? null]),
      columns,
    )
    const third = await build()
    expect(third).toMatchObject({ encoded: 0, manifest: { format: 1 } })
    expect(readNpy(third.columns[1]?.path ?? '')).toMatchObject({ rows: rowCount })
  })
})
