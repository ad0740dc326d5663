/** The sample that ships: every row of it is used. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DatasetName } from '#synoptic/data/catalogue/catalogue.js'
import { expect, test } from 'vitest'
import { useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const folder = fileURLToPath(new URL('../../data/sample', import.meta.url))

interface SampleRow {
  readonly id: number
  readonly title: string
  readonly genres: readonly string[]
  readonly synopsis: string
  readonly logline: string
}

function sampleRows(name: DatasetName): SampleRow[] {
  const text = readFileSync(join(folder, `${name}.jsonl`), 'utf8').trim()
  const rows = text.split('\n').map((line) => JSON.parse(line) as SampleRow)
  return rows.sort((one, other) => one.id - other.id)
}

test.each(['anime', 'manga'] as const)(
  'every row of %s is an entry to the letter',
  async (name) => {
    const summary = await workshop.import(join(folder, `${name}.json`))
    const rows = sampleRows(name)
    expect(rows.length).toBeGreaterThan(100)
    expect(summary.datasets[0]?.sources[0]?.source.skipped.count).toBe(0)
    expect(summary.datasets[0]?.columns).toEqual(['synopsis', 'logline'])
    const kept = ({ id, title, genres }: Pick<SampleRow, 'id' | 'title' | 'genres'>) => ({
      id,
      title,
      genres,
    })
    const entries = workshop.entries(name)
    expect(entries.map(kept)).toEqual(rows.map(kept))
    expect(entries.map(({ texts }) => texts)).toEqual(
      rows.map(({ synopsis, logline }) => [synopsis, logline]),
    )
    for (const { type, year } of entries) {
      expect(type).toMatch(/^[a-z_]+$/)
      expect(year).toBeGreaterThan(1900)
    }
    expect(dirname(summary.datasets[0]?.sources[0]?.source.file ?? '')).toBe(folder)
  },
)

test('its words find its works', async () => {
  await workshop.import(join(folder, 'anime.json'))
  const [hit] = await workshop.read((catalogue) =>
    catalogue.lexical('anime', 'a notebook that kills whoever is named in it', 1),
  )
  expect(workshop.entries('anime')[hit?.row ?? -1]?.title).toBe('Death Note')
})
